"""Links: what a byte pays inside the node and outside it, and how far a link reaches."""

from commcost.quantity import at, predicate, quantity
from commcost.units import BYTES_PER_SECOND, NUMBER


@quantity(
    symbol="g",
    unit=NUMBER,
    label="own link against the network, one GPU's wire",
    inside=at("link_bytes_per_second", link="nvlink"),
    outside=at("link_bytes_per_second", link="infiniband"),
)
def leaving_factor(inside, outside):
    """Return how many times as long a byte takes on one network port as on the accelerator's own link.

    Assumes a group with one GPU in each node, which leaves the node by that GPU's port alone.
    """
    return inside / outside


@quantity(
    symbol="w",
    unit=BYTES_PER_SECOND,
    label="all ports of a node together",
    outside=at("link_bytes_per_second", link="infiniband"),
)
def node_bytes_per_second(node_ports, outside):
    """Return what a node can send when all its network ports send at once, in bytes per second."""
    return node_ports * outside


@quantity(
    symbol="g_n",
    unit=NUMBER,
    label="own link against all ports of a node",
    inside=at("link_bytes_per_second", link="nvlink"),
)
def leaving_factor_by_all_ports(inside, node_bytes_per_second):
    """Return how many times as long a byte takes through all ports of a node at once as on the accelerator's own link.

    Assumes a group that fills whole nodes, with as many ports in a node as GPUs.
    """
    return inside / node_bytes_per_second


@quantity(
    symbol="m_d",
    unit=NUMBER,
    label="both directions against one",
    inside=at("link_bytes_per_second", link="nvlink"),
)
def duplex_factor(headline_link_bytes_per_second, inside):
    """Return the headline bandwidth of an accelerator's own link as a multiple of what it carries in one direction."""
    return headline_link_bytes_per_second / inside


@quantity(
    symbol="m_p",
    unit=NUMBER,
    label="a whole node against one port",
    of_one=at("headline_bits_per_second", link="infiniband"),
)
def node_network_factor(node_headline_bits_per_second, of_one):
    """Return the network of a node as it is sold as a multiple of one of its ports."""
    return node_headline_bits_per_second / of_one


@predicate(
    label="a byte takes longer outside the node than inside",
    inside=at("link_bytes_per_second", link="nvlink"),
    outside=at("link_bytes_per_second", link="infiniband"),
)
def leaving_costs_more(inside, outside):
    """Tell whether the accelerator's own link beats one network port."""
    return inside > outside


@predicate(label="leaving through every port of the node costs less")
def all_ports_beat_one(leaving_factor_by_all_ports, leaving_factor):
    """Tell whether a group that fills whole nodes leaves them at a lower price than one GPU on its own wire."""
    return leaving_factor_by_all_ports < leaving_factor


@predicate(label="the link reaches every GPU of the run")
def link_reaches_group(gpus, link_reach_gpus):
    """Tell whether the link joins as many GPUs as the run has; beyond that its reading is hypothetical."""
    return gpus <= link_reach_gpus


@predicate(
    label="the other link is faster",
    other_bandwidth=at("link_bytes_per_second", link="other"),
)
def other_link_is_faster(other_bandwidth, link_bytes_per_second):
    """Tell whether the link's partner carries more bytes per second than the link."""
    return other_bandwidth > link_bytes_per_second


@quantity(symbol="y", unit=NUMBER, label="a gibibyte in gigabytes")
def gibibyte_factor(gibibyte_bytes, gigabyte_bytes):
    """Return the bytes of a gibibyte as a multiple of a gigabyte's."""
    return gibibyte_bytes / gigabyte_bytes


@quantity(symbol="x", unit=NUMBER, label="what a gibibyte adds to a gigabyte")
def gibibyte_surplus(gibibyte_factor):
    """Return the surplus of a gibibyte over a gigabyte, as a share of the gigabyte."""
    return gibibyte_factor - 1


@predicate(label="a gibibyte holds more bytes than a gigabyte")
def gibibyte_is_larger(gibibyte_factor):
    """Tell whether reading a GiB as a GB undercounts."""
    return gibibyte_factor > 1
