"""The figures that the pages print, each against arithmetic written out here or a figure read in a source."""

from decimal import ROUND_HALF_UP, Decimal

import pytest

from commcost import Model

# A figure of the pages, the overrides of the default run under which it stands, and the arithmetic behind it.
FIGURES = [
    # The exchange: bytes, and bytes over bytes per second.
    ("gradient_bytes", {}, 30e9 * 2),
    ("quoted_all_reduce_bytes", {}, 2 * 30e9 * 2),
    ("quoted_factor", {}, 2),
    ("quoted_sharded_bytes", {}, 3 * 30e9 * 2),
    ("quoted_all_reduce_seconds", {"link": "nvlink"}, 120e9 / 450e9),
    ("quoted_sharded_seconds", {"link": "nvlink"}, 180e9 / 450e9),
    ("quoted_all_reduce_seconds", {"link": "infiniband"}, 120e9 / 50e9),
    ("quoted_sharded_seconds", {"link": "infiniband"}, 180e9 / 50e9),
    # Computing, and the exchange as a share of it.
    ("flops_per_param_token", {}, 2 + 4),
    ("step_flops", {}, 6 * 30e9 * 1e6),
    ("tokens_per_gpu", {}, 1e6 / 64),
    ("compute_seconds", {"accelerator": "h100"}, 6 * 30e9 * 1e6 / (64 * 989e12 * 0.4)),
    ("compute_seconds", {"accelerator": "b200"}, 6 * 30e9 * 1e6 / (64 * 2250e12 * 0.4)),
    ("communication_to_compute", {"accelerator": "h100"}, 120e9 / 50e9 / (6 * 30e9 * 1e6 / (64 * 989e12 * 0.4))),
    ("communication_to_compute", {"accelerator": "b200"}, 120e9 / 50e9 / (6 * 30e9 * 1e6 / (64 * 2250e12 * 0.4))),
    ("sharded_to_compute", {"accelerator": "b200"}, 180 / 50 / (6 * 30e9 * 1e6 / (64 * 2250e12 * 0.4))),
    ("unhidden_step_seconds", {"accelerator": "h100"}, 6 * 30e9 * 1e6 / (64 * 989e12 * 0.4) + 120e9 / 50e9),
    ("other_card_speedup", {"accelerator": "h100"}, 2250 / 989),
    # The backward pass alone.
    ("backward_share", {}, 4 / 6),
    ("backward_flops", {}, 4 * 30e9 * 1e6),
    ("forward_flops", {}, 2 * 30e9 * 1e6),
    ("backward_seconds", {"accelerator": "h100"}, 4 * 30e9 * 1e6 / (64 * 989e12 * 0.4)),
    ("backward_seconds", {"accelerator": "b200"}, 4 * 30e9 * 1e6 / (64 * 2250e12 * 0.4)),
    ("exposed_seconds", {"accelerator": "h100"}, 0),
    ("exposed_seconds", {"accelerator": "b200"}, 2.4 - 4 * 30e9 * 1e6 / (64 * 2250e12 * 0.4)),
    ("hidden_seconds", {"accelerator": "b200"}, 4 * 30e9 * 1e6 / (64 * 2250e12 * 0.4)),
    ("quoted_half_seconds", {}, 60e9 / 50e9),
    ("forward_seconds", {"accelerator": "b200"}, 2 * 30e9 * 1e6 / (64 * 2250e12 * 0.4)),
    ("gather_exposed_seconds", {"accelerator": "b200"}, 60e9 / 50e9 - 2 * 30e9 * 1e6 / (64 * 2250e12 * 0.4)),
    ("gather_exposed_seconds", {"accelerator": "h100"}, 0),
    ("sharded_exposed_seconds", {"accelerator": "b200"}, 60e9 / 50e9 - 2 * 30e9 * 1e6 / (64 * 2250e12 * 0.4)),
    ("sharded_exposed_seconds", {"accelerator": "b200", "example": "pod"}, 2 * 1.2 - 6 * 30e9 * 1e6 / (1024 * 2250e12 * 0.4)),
    ("hiding_tokens_per_gpu", {"accelerator": "h100"}, 2.4 * 989e12 * 0.4 / (4 * 30e9)),
    # The ring, exactly: 1.5P on 4 GPUs, 1.75P on 8, 1.97P on 64.
    ("hops", {"example": "walkthrough"}, 3 + 3),
    ("ring_factor", {"example": "walkthrough"}, 6 / 4),
    ("ring_factor", {"example": "node"}, 14 / 8),
    ("ring_factor", {"example": "cluster"}, 126 / 64),
    ("sharded_ring_factor", {"example": "cluster"}, 3 * 63 / 64),
    ("ring_sharded_bytes", {}, 3 * 63 / 64 * 60e9),
    # The bill.
    ("chunk_bytes", {"example": "node"}, 60e9 / 8),
    ("hop_seconds", {"example": "node"}, 60e9 / 8 / 50e9),
    ("ring_half_bytes", {"example": "node"}, 7 * 60e9 / 8),
    ("ring_half_seconds", {"example": "node"}, 7 * 60e9 / 8 / 50e9),
    ("ring_all_reduce_bytes", {}, 126 * 60e9 / 64),
    ("ring_all_reduce_seconds", {}, 126 * 60e9 / 64 / 50e9),
    ("quoted_surplus_bytes", {}, 2 * 60e9 / 64),
    # The strip draws at most 64 blocks a half: 1,023 hops are 63 blocks of 16 and one of 15.
    ("drawn_block_hops", {"example": "node"}, 1),
    ("drawn_block_hops", {"example": "pod"}, 16),
    ("drawn_block_bytes", {"example": "pod"}, 16 * 60e9 / 1024),
    ("drawn_block_seconds", {"example": "pod"}, 16 * 60e9 / 1024 / 50e9),
    # Leaving the node: one GPU's wire, the newer card's, and all eight ports of a node.
    ("leaving_factor", {"accelerator": "h100"}, 450 / 50),
    ("leaving_factor", {"accelerator": "b200"}, 900 / 50),
    ("node_bytes_per_second", {}, 8 * 50e9),
    ("leaving_factor_by_all_ports", {"accelerator": "h100"}, 450 / 400),
    ("whole_node_all_reduce_seconds", {}, 120 / 400),
    ("whole_node_all_reduce_seconds", {"accelerator": "a100"}, 120 / 300),
    ("whole_node_all_reduce_seconds", {"link": "infiniband_hdr"}, 120 / (8 * 25)),
    ("whole_node_all_reduce_seconds", {"link": "infiniband_xdr"}, 120 / 450),  # inside the node, not 800 outside
    ("whole_node_to_compute", {"accelerator": "b200"}, 120 / 400 / (6 * 30e9 * 1e6 / (64 * 2250e12 * 0.4))),
    ("fp32_reduce_factor", {}, 4 / 2),
    # Where an axis ends: the first of 1, 2, 5, 10 … that covers what is drawn.
    ("exchange_end_seconds", {"accelerator": "b200"}, 2 * 30e9 * 1e6 / (64 * 2250e12 * 0.4) + 2.4),
    ("lane_limit_seconds", {}, 10),  # 7.11 s
    ("lane_limit_seconds", {"accelerator": "b200"}, 10),
    ("passes_limit_seconds", {}, 10),  # 7.11 s on the H100
    ("passes_limit_seconds", {"accelerator": "b200"}, 10),
    ("ratio_limit", {}, 1),  # 34 %
    ("ratio_limit", {"link": "infiniband_edr"}, 2),  # 9.6 s of 7.11 s
    ("transfer_limit_seconds", {}, 5),  # 3.6 s on InfiniBand
    ("transfer_limit_seconds", {"link": "nvlink"}, 5),
    ("transfer_limit_seconds", {"example": "single"}, 2),  # nothing moves; one copy is 1.2 s
    # What the usual mistakes are wrong by: sparse for dense, both directions for one, a node for one GPU or port.
    ("sparsity_factor", {"accelerator": "a100"}, 2),
    ("sparsity_factor", {"accelerator": "h100"}, 1979 / 989),
    ("sparsity_factor", {"accelerator": "gb200"}, 5000 / 2450),
    ("duplex_factor", {"accelerator": "h100"}, 900 / 450),
    ("duplex_factor", {"accelerator": "mi355x", "link": "infiniband"}, 1071 / 535.5),
    ("node_peak_factor", {}, 5000 / 624),
    ("node_network_factor", {}, 3200 / 400),
    # A gibibyte in gigabytes.
    ("gibibyte_factor", {}, 2**30 / 10**9),
    ("gibibyte_surplus", {}, 2**30 / 10**9 - 1),
]


@pytest.mark.parametrize(("name", "at", "figure"), FIGURES, ids=lambda part: part if isinstance(part, str) else None)
def test_figure_is_the_arithmetic_written_out(model: Model, name: str, at: dict[str, str], figure: float) -> None:
    assert model.run(**at).value(name) == pytest.approx(figure, rel=1e-14, abs=0)


# As the pages print them.
@pytest.mark.parametrize(
    ("name", "at", "printed"),
    [
        ("quoted_all_reduce_seconds", {"link": "nvlink"}, "0.27"),
        ("quoted_sharded_seconds", {"link": "nvlink"}, "0.40"),
        ("quoted_all_reduce_seconds", {}, "2.40"),
        ("quoted_sharded_seconds", {}, "3.60"),
        ("compute_seconds", {}, "7.11"),
        ("compute_seconds", {"accelerator": "b200"}, "3.13"),
        ("communication_to_compute", {}, "0.34"),
        ("communication_to_compute", {"accelerator": "b200"}, "0.77"),
        ("unhidden_step_seconds", {}, "9.51"),
        ("unhidden_step_seconds", {"accelerator": "b200"}, "5.53"),
        ("ring_factor", {}, "1.97"),
        ("backward_seconds", {}, "4.74"),
        ("backward_seconds", {"accelerator": "b200"}, "2.08"),
        ("exposed_seconds", {"accelerator": "b200"}, "0.32"),
        ("quoted_half_seconds", {"accelerator": "b200"}, "1.20"),
        ("forward_seconds", {"accelerator": "b200"}, "1.04"),
        ("ring_half_seconds", {"example": "node"}, "1.05"),
    ],
    ids=lambda part: part if isinstance(part, str) else None,
)
def test_figure_rounds_to_what_is_printed(model: Model, name: str, at: dict[str, str], printed: str) -> None:
    shortest = Decimal(repr(model.run(**at).value(name)))
    assert str(shortest.quantize(Decimal("0.01"), ROUND_HALF_UP)) == printed


def test_the_sum_on_b200_is_an_exact_tie(model: Model) -> None:
    run = model.run(accelerator="b200")
    assert run.value("compute_seconds") == 3.125
    assert run.value("quoted_all_reduce_seconds") == 2.4
    assert run.value("unhidden_step_seconds") == 5.525


def test_one_ratio_of_links_on_two_payloads(model: Model) -> None:
    inside, outside = model.run(link="nvlink"), model.run(link="infiniband")
    for payload in ("quoted_all_reduce_seconds", "quoted_sharded_seconds"):
        assert outside.value(payload) / inside.value(payload) == pytest.approx(9, rel=1e-14)


# A sentence of the pages, and whether it holds under some overrides.
CLAIMS = [
    ("fits_under_step", {"accelerator": "h100"}, True),
    ("fits_under_step", {"accelerator": "b200"}, True),
    ("fits_under_backward", {"accelerator": "h100"}, True),
    ("fits_under_backward", {"accelerator": "b200"}, False),
    ("gather_fits_under_forward", {"accelerator": "h100"}, True),
    ("gather_fits_under_forward", {"accelerator": "b200"}, False),
    ("other_card_is_faster", {"accelerator": "h100"}, True),
    ("other_card_is_faster", {"accelerator": "b200"}, False),
    ("other_card_waits_more", {"accelerator": "h100"}, True),
    ("other_card_waits_more", {"accelerator": "b200"}, False),
    ("newer_card_waits_more", {}, True),
    ("size_cancels", {}, True),
    ("leaving_costs_more", {}, True),
    ("all_ports_beat_one", {}, True),
    ("link_reaches_group", {"link": "infiniband"}, True),
    ("link_reaches_group", {"link": "nvlink"}, False),  # 64 cards, a node of 8
    ("link_reaches_group", {"link": "nvlink", "example": "node"}, True),
    ("link_reaches_group", {"link": "nvlink", "accelerator": "gb200"}, True),  # 64 cards, a rack of 72
    ("spans_nodes", {}, True),  # 64 cards, a node of 8
    ("spans_nodes", {"example": "node"}, False),
    ("spans_nodes", {"link": "nvlink"}, False),  # which ends at the node
    ("comes_in_nodes", {}, True),
    ("comes_in_nodes", {"accelerator": "gb200"}, False),  # but in racks of 72
    ("whole_nodes_are_faster", {}, True),  # 0.30 s, not 2.40 s
    ("whole_nodes_are_faster", {"link": "nvlink"}, False),  # 0.30 s, not 0.27 s
    ("has_peers", {}, True),
    ("has_peers", {"example": "single"}, False),
    ("switch_reads_above_wire", {}, True),  # 480 GB/s on a wire of 450
    ("ring_factor_grows", {}, True),
    ("ring_stays_below_quoted", {}, True),
    ("ring_stays_below_quoted", {"example": "single"}, False),
    ("pod_stays_below_quoted", {}, True),
    ("other_link_is_faster", {"link": "infiniband"}, True),
    ("other_link_is_faster", {"link": "nvlink"}, False),
    ("exchange_is_minor", {"accelerator": "h100"}, True),  # 34 %
    ("exchange_is_minor", {"accelerator": "b200"}, False),  # 77 %
    ("lane_axis_stays", {}, True),
    ("lane_axis_stays", {"accelerator": "b200"}, True),
    ("lane_axis_stays", {"link": "nvlink"}, True),
    ("lane_axis_stays", {"accelerator": "a100"}, False),  # 50 s beside the H100's 10 s
    ("gibibyte_is_larger", {}, True),
    ("sharding_moves_more", {}, True),
    ("sharding_moves_more", {"example": "single"}, False),
    ("fp32_weighs_more", {}, True),
]


@pytest.mark.parametrize(("claim", "at", "holds"), CLAIMS, ids=lambda part: part if isinstance(part, str) else None)
def test_claim_of_the_pages(model: Model, claim: str, at: dict[str, str], holds: bool) -> None:
    assert model.run(**at).value(claim) is holds


# Where both sides of a claim are equal, its words decide: "shorter than" fails, "no longer than" holds.
TIES = {
    "all_ports_beat_one": False,
    "comes_in_nodes": True,
    "exchange_is_minor": True,
    "fits_under_backward": True,
    "fits_under_step": False,
    "fp32_weighs_more": False,
    "gather_fits_under_forward": True,
    "gibibyte_is_larger": False,
    "has_peers": False,
    "lane_axis_stays": True,
    "leaving_costs_more": False,
    "link_reaches_group": True,
    "newer_card_waits_more": False,
    "other_card_is_faster": False,
    "other_card_waits_more": False,
    "other_link_is_faster": False,
    "pod_stays_below_quoted": False,
    "ring_factor_grows": False,
    "ring_stays_below_quoted": False,
    "sharding_moves_more": False,
    "size_cancels": True,
    "spans_nodes": False,
    "switch_reads_above_wire": False,
    "whole_nodes_are_faster": False,
}
AGAINST = {"exchange_is_minor": 0.5, "gibibyte_is_larger": 1, "has_peers": 1, "pod_stays_below_quoted": 2}  # a bare number


@pytest.mark.parametrize("claim", TIES)
def test_claim_on_a_tie(model: Model, claim: str) -> None:
    quantity = model.quantities[claim]
    tied = AGAINST.get(claim, 7.5)
    assert bool(quantity.function(**dict.fromkeys(quantity.parameters, tied))) is TIES[claim]


def test_every_claim_is_checked_on_a_tie(model: Model) -> None:
    assert {quantity.name for quantity in model.quantities.values() if quantity.is_predicate} == TIES.keys()


def test_a_link_that_joins_less_than_a_node_makes_none(model: Model) -> None:
    assert model.quantities["comes_in_nodes"].function(own_reach=4, node_gpus=8) is False


def test_two_gpus_already_exchange(model: Model) -> None:
    pair = model.run(example="pair")
    assert pair.value("has_peers") is True
    assert pair.value("quoted_all_reduce_bytes") == 2 * 60e9
    assert pair.value("quoted_sharded_bytes") == 3 * 60e9
    assert pair.value("ring_all_reduce_bytes") == 60e9


def test_every_quantity_is_checked_here(model: Model) -> None:
    """All but one, which is settled against the simulated ring."""
    checked = {name for name, *_ in (*FIGURES, *CLAIMS)}
    assert model.quantities.keys() - checked == {"half_hops"}


# Peak of one GPU in FLOP/s, dense 16-bit; its own link in B/s, one direction.
ACCELERATORS = {
    "a100": (312e12, 300e9),
    "h100": (989e12, 450e9),
    "h200": (989e12, 450e9),
    "b200": (2250e12, 900e9),
    "b300": (2250e12, 900e9),
    "gb200": (2450e12, 900e9),
    "gb300": (2450e12, 900e9),
    "mi300x": (1307e12, 448e9),
    "mi355x": (2500e12, 535.5e9),
}
# One port, one direction, in B/s.
LINKS = {
    "infiniband_edr": 12.5e9,
    "infiniband_hdr": 25e9,
    "infiniband": 50e9,
    "infiniband_xdr": 100e9,
    "ethernet_400g": 50e9,
    "pcie_gen4": 31.5e9,
    "pcie_gen5": 63e9,
}


@pytest.mark.parametrize("accelerator", ACCELERATORS)
def test_accelerator_is_the_dense_peak_and_one_direction(model: Model, accelerator: str) -> None:
    run = model.run(accelerator=accelerator, link="nvlink")
    assert (run.value("peak_flops_per_second"), run.value("link_bytes_per_second")) == ACCELERATORS[accelerator]


@pytest.mark.parametrize("link", LINKS)
def test_link_is_one_port_and_one_direction(model: Model, link: str) -> None:
    assert model.run(link=link).value("link_bytes_per_second") == LINKS[link]


def test_every_accelerator_and_link_is_checked_here(model: Model) -> None:
    assert list(model.choices["accelerator"]) == list(ACCELERATORS)
    assert set(model.choices["link"]) == {"nvlink", *LINKS}


@pytest.mark.parametrize(
    ("accelerator", "figure", "headline"),
    [
        ("h100", "headline_flops_per_second", 1979e12),
        ("b200", "headline_flops_per_second", 4500e12),
        ("h100", "headline_link_bytes_per_second", 900e9),
        # The data sheet's figure stands beside the one that NVIDIA's benchmarks count with, which the site takes.
        ("gb200", "datasheet_flops_per_second", 2500e12),
        ("gb300", "datasheet_flops_per_second", 2500e12),
    ],
)
def test_the_headline_that_is_mistaken_for_the_figure(model: Model, accelerator: str, figure: str, headline: float) -> None:
    assert model.run(accelerator=accelerator).value(figure) == headline


def test_a_port_sold_in_bits_carries_an_eighth_in_bytes(model: Model) -> None:
    for link, record in model.choices["link"].items():
        if "headline_bits_per_second" in record.figures:
            assert record.figures["headline_bits_per_second"].value / 8 == LINKS[link]
    assert model.run().value("headline_bits_per_second") == 400e9
    assert (model.run().value("bits_per_byte"), model.run().value("link_directions")) == (8, 2)


def test_default_run_is_the_one_of_the_text(model: Model) -> None:
    assert dict(model.run().inputs) == {
        "params": 30e9,
        "bytes_per_param": 2,
        "tokens": 1e6,
        "gpus": 64,
        "accelerator": "h100",
        "link": "infiniband",
        "mfu": 0.4,
    }


def test_cards_and_links_of_the_text_are_each_others_partners(model: Model) -> None:
    accelerators, links = model.choices["accelerator"], model.choices["link"]
    assert (accelerators["h100"].other, accelerators["b200"].other) == ("b200", "h100")
    assert (links["infiniband"].other, links["nvlink"].other) == ("nvlink", "infiniband")
