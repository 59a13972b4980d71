"""Overlap: is the waiting small beside the work, and what of it can be hidden behind the work?"""

from commcost.quantity import Ladder, at, predicate, quantity
from commcost.units import NUMBER, SECONDS

# Where the lanes' axis may end: a few readable steps in every power of ten, so that it stays put in a comparison.
AXIS_SECONDS = Ladder(digits=(1, 2, 5), lowest=-21, highest=30)


@quantity(symbol="r", unit=NUMBER, label="communication ÷ computing")
def communication_to_compute(quoted_all_reduce_seconds, compute_seconds):
    """Return the time on the link as a share of the time computing: the test of what a run is bound by.

    Below one the exchange is the shorter of the two. The number of parameters cancels out of it.
    """
    return quoted_all_reduce_seconds / compute_seconds


@quantity(symbol="T", unit=SECONDS, label="step with nothing hidden")
def unhidden_step_seconds(compute_seconds, quoted_all_reduce_seconds):
    """Return the time of a step that first computes and then exchanges, in seconds."""
    return compute_seconds + quoted_all_reduce_seconds


@quantity(symbol="t_e", unit=SECONDS, label="exchange left exposed by the backward pass")
def exposed_seconds(quoted_all_reduce_seconds, backward_seconds):
    """Return what is left of the exchange when it runs under the backward pass alone, in seconds.

    Assumes the exchange can start with the backward pass and never slows it: the least that stays exposed.
    """
    return max(0, quoted_all_reduce_seconds - backward_seconds)


@quantity(symbol="t_u", unit=SECONDS, label="exchange hidden under the backward pass")
def hidden_seconds(quoted_all_reduce_seconds, backward_seconds):
    """Return how much of the exchange fits under the backward pass, in seconds."""
    return min(quoted_all_reduce_seconds, backward_seconds)


@quantity(symbol="t_n", unit=SECONDS, label="gathering left exposed by the forward pass")
def gather_exposed_seconds(quoted_half_seconds, forward_seconds):
    """Return what is left of gathering updated parameters when it runs under the next forward pass, in seconds.

    Only a sharded optimizer can do this: plain data parallelism needs the whole gradient before it steps.
    """
    return max(0, quoted_half_seconds - forward_seconds)


@quantity(
    symbol="t_max",
    unit=SECONDS,
    label="end of the lanes' axis",
    ladder=AXIS_SECONDS,
    other_compute=at("compute_seconds", accelerator="other"),
    other_link=at("quoted_all_reduce_seconds", link="other"),
    other_card=at("quoted_all_reduce_seconds", accelerator="other"),
    both_others=at("quoted_all_reduce_seconds", accelerator="other", link="other"),
)
def lane_limit_seconds(compute_seconds, other_compute, quoted_all_reduce_seconds, other_link, other_card, both_others):
    """Return the first step of the axis that covers both cards on both links, in seconds.

    It is the same whichever of the cards and links is chosen, so the axis does not move when one is switched.
    """
    return max(compute_seconds, other_compute, quoted_all_reduce_seconds, other_link, other_card, both_others)


@predicate(label="the exchange is shorter than the whole computation")
def fits_under_step(quoted_all_reduce_seconds, compute_seconds):
    """Tell whether the exchange could be hidden if all of the computing could hide it."""
    return quoted_all_reduce_seconds < compute_seconds


@predicate(label="the exchange is no longer than the backward pass")
def fits_under_backward(quoted_all_reduce_seconds, backward_seconds):
    """Tell whether the backward pass, which alone can hide a gradient exchange, is long enough to do so."""
    return quoted_all_reduce_seconds <= backward_seconds


@predicate(label="gathering parameters is no longer than the forward pass")
def gather_fits_under_forward(quoted_half_seconds, forward_seconds):
    """Tell whether the next forward pass is long enough to hide the gathering half."""
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
    """Tell whether two models that differ in size alone have the same ratio, up to the rounding of doubles."""
    return abs(of_large / of_small - 1) < 0.000000001


@predicate(label="the exchange takes at most half as long as the computing")
def exchange_is_minor(communication_to_compute):
    """Tell whether the exchange is minor beside the computing; the line at half is this site's own convention."""
    return communication_to_compute <= 0.5
