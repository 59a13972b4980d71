"""Sharding: what changes when optimizer, gradients or parameters are spread over the GPUs."""

from commcost.quantity import AXIS, at, predicate, quantity
from commcost.units import BYTES, NUMBER, SECONDS


@quantity(symbol="V_s", unit=BYTES, label="sharded parameters, as quoted")
def quoted_sharded_bytes(gradient_bytes, gpus):
    """Return the bytes a GPU sends when the parameters are sharded too, as quoted: 3P; nothing for one GPU.

    This is what ZeRO-3 and FSDP do.
    An all-gather of the parameters forward, another backward, and a reduce-scatter of the gradients.

    Assumes that the parameters are gathered again for the backward pass, not kept from the forward pass, and that a step is one
    micro-batch: each further one gathers them anew.

    Source: Rajbhandari et al., ZeRO: Memory Optimizations Toward Training Trillion Parameter Models, 2020, section 7.
    """
    return 3 * gradient_bytes if gpus > 1 else 0


@quantity(symbol="t_s", unit=SECONDS, label="sharded parameters as quoted, on the link")
def quoted_sharded_seconds(quoted_sharded_bytes, link_bytes_per_second):
    """Return the time that the quoted traffic of sharded parameters keeps one GPU's link busy, in seconds.

    Assumes one ring on one port, which carries its full bandwidth throughout: no latency, no contention, no protocol.
    """
    return quoted_sharded_bytes / link_bytes_per_second


@quantity(
    symbol="t_max,s",
    unit=SECONDS,
    label="end of the axis of transfers inside and outside the node",
    ladder=AXIS,
    inside=at("quoted_sharded_seconds", link="nvlink"),
    outside=at("quoted_sharded_seconds", link="infiniband"),
    outside_bandwidth=at("link_bytes_per_second", link="infiniband"),
)
def transfer_limit_seconds(inside, outside, gradient_bytes, outside_bandwidth):
    """Return the first step of the axis that covers 3P on the accelerator's own link and on InfiniBand, in seconds.

    A lone GPU transfers nothing; its axis is that of one copy.
    """
    return max(inside, outside, gradient_bytes / outside_bandwidth)


@quantity(symbol="k_s", unit=NUMBER, label="copies that a ring sends with sharded parameters")
def sharded_ring_factor(gpus):
    """Return how many copies of the gradients one GPU sends, exactly, with sharded parameters."""
    return 3 * (gpus - 1) / gpus


@quantity(symbol="V_rs", unit=BYTES, label="sharded parameters, ring")
def ring_sharded_bytes(sharded_ring_factor, gradient_bytes):
    """Return the bytes a GPU sends with sharded parameters, exactly.

    Assumes chunks of equal size.
    """
    return sharded_ring_factor * gradient_bytes


@quantity(symbol="q", unit=NUMBER, label="reduce part with gradients in single precision")
def fp32_reduce_factor(fp32_bytes_per_param, bytes_per_param):
    """Return the reduce part's weight with gradients in single precision, as a multiple of its weight in the run's own."""
    return fp32_bytes_per_param / bytes_per_param


@predicate(label="sharding the parameters moves more than data parallelism")
def sharding_moves_more(quoted_sharded_bytes, quoted_all_reduce_bytes):
    """Tell whether sharded parameters cause more traffic than an all-reduce; for one GPU neither causes any."""
    return quoted_sharded_bytes > quoted_all_reduce_bytes


@predicate(label="gradients in single precision weigh more")
def fp32_weighs_more(fp32_bytes_per_param, bytes_per_param):
    """Tell whether gradients in single precision are heavier than the run's own."""
    return fp32_bytes_per_param > bytes_per_param
