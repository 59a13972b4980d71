"""Collectives: how many bytes a GPU sends to exchange gradients, and how long its link needs for them.

Two all-reduces exist. ``quoted_all_reduce_*`` is the figure people quote, 2P.
``ring_all_reduce_*`` is what a ring sends, 2(N − 1)/N · P, and approaches the quoted one from below.
Nothing is added for latency, contention or protocol, and each time but that of whole nodes is that of one ring on one port of each GPU.
"""

from commcost.formula import ceil
from commcost.quantity import at, predicate, quantity
from commcost.units import (
    BYTES,
    BYTES_OF_A_HOP,
    HOPS,
    NUMBER,
    SECONDS,
    SECONDS_OF_A_HOP,
)


@quantity(symbol="P", unit=BYTES, label="one copy of the gradients")
def gradient_bytes(params, bytes_per_param):
    """Return the size of one full set of gradients, in bytes; the parameters in the same precision weigh as much.

    Assumes gradients in the precision of the parameters.
    """
    return params * bytes_per_param


@quantity(symbol="V_q", unit=BYTES, label="all-reduce as quoted")
def quoted_all_reduce_bytes(gradient_bytes, gpus):
    """Return the bytes a GPU sends in an all-reduce as it is usually quoted, 2P; nothing for one GPU.

    Assumes that a GPU sends every chunk in both phases, also the one that a ring spares it: an overestimate, hardly so in a large ring.
    """
    return 2 * gradient_bytes if gpus > 1 else 0


@quantity(symbol="t_q", unit=SECONDS, label="all-reduce as quoted, on the link")
def quoted_all_reduce_seconds(quoted_all_reduce_bytes, link_bytes_per_second):
    """Return the time that the quoted all-reduce keeps one GPU's link busy, in seconds.

    Assumes one ring on one port, which carries its full bandwidth throughout: no latency, no contention, no protocol.
    """
    return quoted_all_reduce_bytes / link_bytes_per_second


@quantity(
    symbol="t_w",
    unit=SECONDS,
    label="all-reduce as quoted, through all ports of whole nodes",
    inside=at("link_bytes_per_second", link="nvlink"),
)
def whole_node_all_reduce_seconds(quoted_all_reduce_bytes, inside, node_ports, link_bytes_per_second):
    """Return the time of the quoted all-reduce for a group that fills whole nodes, in seconds.

    Assumes as many rings as a node has ports, which share the gradients and run at once, each at the link's full bandwidth.
    Inside the node all of them share the accelerator's own link; whichever is the bottleneck decides.
    """
    return quoted_all_reduce_bytes / min(inside, node_ports * link_bytes_per_second)


@quantity(symbol="k_q", unit=NUMBER, label="copies of the gradients in the quoted figure")
def quoted_factor(quoted_all_reduce_bytes, gradient_bytes):
    """Return how many copies of the gradients the quoted all-reduce counts: what a ring's factor approaches."""
    return quoted_all_reduce_bytes / gradient_bytes


@quantity(symbol="t_h", unit=SECONDS, label="one phase of the all-reduce, on the link")
def quoted_half_seconds(quoted_all_reduce_seconds):
    """Return the time of either part of the quoted all-reduce, its reduce-scatter or its all-gather, in seconds.

    Assumes that what is gathered has the precision of what is reduced, so that the phases weigh the same.
    """
    return quoted_all_reduce_seconds / 2


@quantity(symbol="k", unit=NUMBER, label="copies of the gradients that a ring sends")
def ring_factor(gpus):
    """Return how many copies of the gradients one GPU sends in a ring all-reduce.

    Source: Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009.
    """
    return 2 * (gpus - 1) / gpus


@quantity(symbol="V_r", unit=BYTES, label="ring all-reduce")
def ring_all_reduce_bytes(ring_factor, gradient_bytes):
    """Return the bytes a GPU sends in a ring all-reduce, exactly.

    Assumes chunks of equal size.
    """
    return ring_factor * gradient_bytes


@quantity(symbol="t_r", unit=SECONDS, label="ring all-reduce, on the link")
def ring_all_reduce_seconds(ring_all_reduce_bytes, link_bytes_per_second):
    """Return the time that a ring all-reduce keeps one GPU's link busy, in seconds.

    Assumes one ring on one port, which carries its full bandwidth throughout: no latency, no contention, no protocol. A floor for it.
    """
    return ring_all_reduce_bytes / link_bytes_per_second


@quantity(symbol="h_p", unit=HOPS, label="hops of one phase")
def half_hops(gpus):
    """Return the hops of a ring's reduce-scatter; its all-gather takes as many."""
    return gpus - 1


@quantity(symbol="h", unit=HOPS, label="hops of a ring all-reduce")
def hops(half_hops):
    """Return the hops of a ring all-reduce: those of reduce-scatter and those of all-gather."""
    return 2 * half_hops


@quantity(symbol="C", unit=BYTES_OF_A_HOP, label="one chunk")
def chunk_bytes(gradient_bytes, gpus):
    """Return the bytes that a GPU sends in one hop: one N-th of the gradients.

    Assumes chunks of equal size.
    """
    return gradient_bytes / gpus


@quantity(symbol="t_C", unit=SECONDS_OF_A_HOP, label="one hop")
def hop_seconds(chunk_bytes, link_bytes_per_second):
    """Return the time of one hop, in seconds.

    Assumes one ring on one port, which carries its full bandwidth throughout: no latency, no contention, no protocol. A floor for it.
    """
    return chunk_bytes / link_bytes_per_second


@quantity(symbol="V_p", unit=BYTES, label="one phase of a ring all-reduce")
def ring_half_bytes(half_hops, chunk_bytes):
    """Return the bytes a GPU sends in a ring's reduce-scatter, or in its all-gather."""
    return half_hops * chunk_bytes


@quantity(symbol="t_p", unit=SECONDS, label="one phase of a ring all-reduce, on the link")
def ring_half_seconds(half_hops, hop_seconds):
    """Return the time of a ring's reduce-scatter, or of its all-gather, in seconds.

    Assumes hops that follow each other without a pause.
    """
    return half_hops * hop_seconds


@quantity(symbol="h_d", unit=HOPS, label="hops that a drawn block stands for")
def drawn_block_hops(half_hops):
    """Return how many hops one block of the drawn strip stands for.

    A strip of more blocks than this allows for each phase could not be told apart on a phone.
    """
    return ceil(half_hops / 64)


@quantity(symbol="V_d", unit=BYTES, label="bytes that a drawn block stands for")
def drawn_block_bytes(drawn_block_hops, chunk_bytes):
    """Return the bytes that a GPU sends in the hops of one drawn block."""
    return drawn_block_hops * chunk_bytes


@quantity(symbol="t_d", unit=SECONDS, label="time that a drawn block stands for")
def drawn_block_seconds(drawn_block_hops, hop_seconds):
    """Return the time of the hops of one drawn block, in seconds.

    Assumes hops that follow each other without a pause.
    """
    return drawn_block_hops * hop_seconds


@quantity(symbol="V_x", unit=BYTES, label="what the quoted figure adds")
def quoted_surplus_bytes(quoted_all_reduce_bytes, ring_all_reduce_bytes):
    """Return by how many bytes the quoted all-reduce overstates the ring's: 2P/N."""
    return quoted_all_reduce_bytes - ring_all_reduce_bytes


@predicate(label="there is more than one GPU")
def has_peers(gpus):
    """Tell whether there is anyone to exchange gradients with."""
    return gpus > 1


@predicate(label="the group is larger than a node, and so is what the link joins")
def spans_nodes(gpus, link_reach_gpus, node_gpus):
    """Tell whether the group has more GPUs than an ordinary node holds, on a link that leaves the node."""
    return min(gpus, link_reach_gpus) > node_gpus


@predicate(label="the accelerator comes in ordinary nodes", own_reach=at("link_reach_gpus", link="nvlink"))
def comes_in_nodes(own_reach, node_gpus):
    """Tell whether the accelerator's own link joins the GPUs of an ordinary node, not those of a rack."""
    return own_reach == node_gpus


@predicate(label="all ports of whole nodes exchange faster than the link")
def whole_nodes_are_faster(whole_node_all_reduce_seconds, quoted_all_reduce_seconds):
    """Tell whether rings through all ports of whole nodes take less time than one ring on the run's link."""
    return whole_node_all_reduce_seconds < quoted_all_reduce_seconds


@predicate(label="the in-switch reading is above the wire", wire=at("link_bytes_per_second", accelerator="h100", link="nvlink"))
def switch_reads_above_wire(sharp_bus_bytes_per_second, wire):
    """Tell whether the bus bandwidth measured with in-switch reduction is above what the link can carry."""
    return sharp_bus_bytes_per_second > wire


@predicate(
    label="the ring's factor grows with the number of GPUs",
    of_walkthrough=at("ring_factor", example="walkthrough"),
    of_cluster=at("ring_factor", example="cluster"),
)
def ring_factor_grows(of_walkthrough, of_cluster):
    """Tell whether the example cluster sends more copies than the example ring."""
    return of_cluster > of_walkthrough


@predicate(label="the ring sends less than quoted")
def ring_stays_below_quoted(ring_all_reduce_bytes, quoted_all_reduce_bytes):
    """Tell whether the ring sends less than 2P; for one GPU neither sends anything."""
    return ring_all_reduce_bytes < quoted_all_reduce_bytes


@predicate(label="even a pod sends less than quoted", of_pod=at("ring_factor", example="pod"))
def pod_stays_below_quoted(of_pod):
    """Tell whether the largest example sends less than the quoted 2P."""
    return of_pod < 2
