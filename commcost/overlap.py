"""Overlap: is the waiting small beside the work, and what of it can be hidden behind the work?"""

from commcost.quantity import AXIS, at, predicate, quantity
from commcost.units import NUMBER, SECONDS, TOKENS_PER_GPU


@quantity(symbol="r", unit=NUMBER, label="communication ÷ computing")
def communication_to_compute(quoted_all_reduce_seconds, compute_seconds):
    """Return the time on the link as a share of the time computing: the test of what a run is bound by.

    Below one the exchange is shorter than the computing. The number of parameters cancels out of it.
    """
    return quoted_all_reduce_seconds / compute_seconds


@quantity(symbol="r_w", unit=NUMBER, label="communication ÷ computing, through all ports of whole nodes")
def whole_node_to_compute(whole_node_all_reduce_seconds, compute_seconds):
    """Return the time of the exchange through all ports of whole nodes as a share of the time computing."""
    return whole_node_all_reduce_seconds / compute_seconds


@quantity(symbol="r_s", unit=NUMBER, label="sharded parameters ÷ computing")
def sharded_to_compute(quoted_sharded_seconds, compute_seconds):
    """Return the time that sharded parameters keep the link busy as a share of the time computing."""
    return quoted_sharded_seconds / compute_seconds


@quantity(symbol="r_max", unit=NUMBER, label="end of an axis of communication ÷ computing", ladder=AXIS)
def ratio_limit(communication_to_compute):
    """Return the first step of the axis that covers the ratio and the one at which both times are equal."""
    return max(1, communication_to_compute)


@quantity(symbol="T", unit=SECONDS, label="step with nothing hidden")
def unhidden_step_seconds(compute_seconds, quoted_all_reduce_seconds):
    """Return the time of a step that first computes and then exchanges, in seconds.

    Assumes that the optimizer step takes no time of its own.
    """
    return compute_seconds + quoted_all_reduce_seconds


@quantity(symbol="t_e", unit=SECONDS, label="exchange left exposed by the backward pass")
def exposed_seconds(quoted_all_reduce_seconds, backward_seconds):
    """Return what is left of the exchange when it runs under the backward pass alone, in seconds.

    Assumes one micro-batch a step, and an exchange that can start with its backward pass and leaves it undisturbed: the least that
    stays exposed.
    """
    return max(0, quoted_all_reduce_seconds - backward_seconds)


@quantity(symbol="t_u", unit=SECONDS, label="exchange hidden under the backward pass")
def hidden_seconds(quoted_all_reduce_seconds, backward_seconds):
    """Return how much of the exchange fits under the backward pass, in seconds.

    Assumes one micro-batch a step, and an exchange that can start with its backward pass and leaves it undisturbed: the most that
    can be hidden.
    """
    return min(quoted_all_reduce_seconds, backward_seconds)


@quantity(symbol="t_n", unit=SECONDS, label="gathering left exposed by the forward pass")
def gather_exposed_seconds(quoted_half_seconds, forward_seconds):
    """Return what is left of gathering updated parameters when it runs under the next forward pass, in seconds.

    Assumes a sharded optimizer, whose updated parameters are gathered after its step.
    """
    return max(0, quoted_half_seconds - forward_seconds)


@quantity(symbol="t_z", unit=SECONDS, label="exchange left exposed with a sharded optimizer")
def sharded_exposed_seconds(quoted_half_seconds, backward_seconds, gather_exposed_seconds):
    """Return what is left of the exchange with a sharded optimizer, in seconds.

    Assumes that the reduce-scatter runs under the backward pass and the all-gather under the next forward pass, each undisturbed.
    """
    return max(0, quoted_half_seconds - backward_seconds) + gather_exposed_seconds


@quantity(symbol="D_h", unit=TOKENS_PER_GPU, label="tokens per GPU that hide the exchange")
def hiding_tokens_per_gpu(quoted_all_reduce_seconds, peak_flops_per_second, mfu, backward_flops_per_param_token, params):
    """Return on how many tokens a GPU must work for its backward pass to take the time of the exchange.

    The number of parameters cancels out of it.

    Assumes one micro-batch a step, and an exchange that can start with its backward pass and leaves it undisturbed.
    """
    return quoted_all_reduce_seconds * peak_flops_per_second * mfu / (backward_flops_per_param_token * params)


@quantity(symbol="t_x", unit=SECONDS, label="end of an exchange that starts with the backward pass")
def exchange_end_seconds(forward_seconds, quoted_all_reduce_seconds):
    """Return when the exchange ends that starts as soon as the forward pass is over, in seconds from the step's start.

    Assumes the exchange never waits for a gradient: the earliest end.
    """
    return forward_seconds + quoted_all_reduce_seconds


@quantity(
    symbol="t_max,p",
    unit=SECONDS,
    label="end of the axis of both cards' passes",
    ladder=AXIS,
    compute_on_h100=at("compute_seconds", accelerator="h100"),
    compute_on_b200=at("compute_seconds", accelerator="b200"),
    exchange_on_h100=at("exchange_end_seconds", accelerator="h100"),
    exchange_on_b200=at("exchange_end_seconds", accelerator="b200"),
)
def passes_limit_seconds(compute_on_h100, compute_on_b200, exchange_on_h100, exchange_on_b200):
    """Return the first step of the axis that covers the passes and the exchange of the H100 and of the B200, in seconds."""
    return max(compute_on_h100, compute_on_b200, exchange_on_h100, exchange_on_b200)


@quantity(
    symbol="t_max",
    unit=SECONDS,
    label="end of the lanes' axis",
    ladder=AXIS,
    other_compute=at("compute_seconds", accelerator="other"),
    other_link=at("quoted_all_reduce_seconds", link="other"),
    other_card=at("quoted_all_reduce_seconds", accelerator="other"),
    both_others=at("quoted_all_reduce_seconds", accelerator="other", link="other"),
)
def lane_limit_seconds(compute_seconds, other_compute, quoted_all_reduce_seconds, other_link, other_card, both_others):
    """Return the first step of the axis that covers both cards on both links, in seconds.

    It is the same for all of these where card and link are the partners of their partners.
    An axis for every card and link of the catalogue would leave hardly anything to see of most runs.
    """
    return max(compute_seconds, other_compute, quoted_all_reduce_seconds, other_link, other_card, both_others)


@predicate(
    label="another card or link leaves the lanes' axis as it is",
    on_other_card=at("lane_limit_seconds", accelerator="other"),
    on_other_link=at("lane_limit_seconds", link="other"),
)
def lane_axis_stays(lane_limit_seconds, on_other_card, on_other_link):
    """Tell whether the lanes' axis ends where it does after a switch to the other card, or to the other link, as well."""
    return max(lane_limit_seconds, on_other_card, on_other_link) <= min(lane_limit_seconds, on_other_card, on_other_link)


@predicate(label="the exchange is shorter than the whole computation")
def fits_under_step(quoted_all_reduce_seconds, compute_seconds):
    """Tell whether the exchange could be hidden if all of the computing could hide it."""
    return quoted_all_reduce_seconds < compute_seconds


@predicate(label="the exchange is no longer than the backward pass")
def fits_under_backward(quoted_all_reduce_seconds, backward_seconds):
    """Tell whether the backward pass is long enough to hide the exchange of its gradients."""
    return quoted_all_reduce_seconds <= backward_seconds


@predicate(label="gathering parameters is no longer than the forward pass")
def gather_fits_under_forward(quoted_half_seconds, forward_seconds):
    """Tell whether the next forward pass is long enough to hide the gathering phase."""
    return quoted_half_seconds <= forward_seconds


@predicate(label="the other card waits for a larger share", other_ratio=at("communication_to_compute", accelerator="other"))
def other_card_waits_more(other_ratio, communication_to_compute):
    """Tell whether the ratio is higher on the other card, at the same link."""
    return other_ratio > communication_to_compute


@predicate(
    label="the newer card waits for a larger share",
    on_b200=at("communication_to_compute", accelerator="b200"),
    on_h100=at("communication_to_compute", accelerator="h100"),
)
def newer_card_waits_more(on_b200, on_h100):
    """Tell whether the ratio is higher on the B200 than on the H100, at the same link."""
    return on_b200 > on_h100


@predicate(
    label="the ratio is the same for a small and a large model",
    of_small=at("communication_to_compute", example="small_model"),
    of_large=at("communication_to_compute", example="large_model"),
)
def size_cancels(of_small, of_large):
    """Tell whether models that differ in size alone have the same ratio, up to rounding."""
    return abs(of_large / of_small - 1) < 0.000000001


@predicate(label="the exchange is minor beside the computing")
def exchange_is_minor(communication_to_compute):
    """Tell whether the exchange is minor beside the computing; where the line lies is this site's own convention."""
    return communication_to_compute <= 0.5
