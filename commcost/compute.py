"""Computing: how long the cards need for the arithmetic of one step."""

from commcost.quantity import at, predicate, quantity
from commcost.units import FLOPS, FLOPS_PER_PARAM_TOKEN, NUMBER, SECONDS, TOKENS_PER_GPU


@quantity(symbol="c", unit=FLOPS_PER_PARAM_TOKEN, label="arithmetic per parameter and token")
def flops_per_param_token(forward_flops_per_param_token, backward_flops_per_param_token):
    """Return what one parameter costs for one token, forward and backward, in FLOP.

    Assumes that all arithmetic is matrix multiplication, by every parameter, also those of an embedding that is only looked up:
    attention over long sequences comes on top, and nothing is recomputed.

    Source: Kaplan et al., Scaling Laws for Neural Language Models, 2020, section 2.1.
    """
    return forward_flops_per_param_token + backward_flops_per_param_token


@quantity(symbol="F", unit=FLOPS, label="arithmetic of a step")
def step_flops(flops_per_param_token, params, tokens):
    """Return the arithmetic of one step on the whole cluster, in FLOP."""
    return flops_per_param_token * params * tokens


@quantity(symbol="F_b", unit=FLOPS, label="arithmetic of the backward pass")
def backward_flops(backward_flops_per_param_token, params, tokens):
    """Return the arithmetic of one backward pass on the whole cluster, in FLOP."""
    return backward_flops_per_param_token * params * tokens


@quantity(symbol="F_f", unit=FLOPS, label="arithmetic of the forward pass")
def forward_flops(forward_flops_per_param_token, params, tokens):
    """Return the arithmetic of one forward pass on the whole cluster, in FLOP."""
    return forward_flops_per_param_token * params * tokens


@quantity(symbol="t_c", unit=SECONDS, label="computing")
def compute_seconds(step_flops, gpus, peak_flops_per_second, mfu):
    """Return the time a step's arithmetic takes, in seconds.

    Assumes that every card keeps the same share of its peak busy throughout the step.
    """
    return step_flops / (gpus * peak_flops_per_second * mfu)


@quantity(symbol="t_b", unit=SECONDS, label="backward pass")
def backward_seconds(backward_flops, gpus, peak_flops_per_second, mfu):
    """Return the time of the backward pass alone, in seconds.

    Assumes that this pass is utilised as well as the whole step.
    """
    return backward_flops / (gpus * peak_flops_per_second * mfu)


@quantity(symbol="t_f", unit=SECONDS, label="forward pass")
def forward_seconds(forward_flops, gpus, peak_flops_per_second, mfu):
    """Return the time of the forward pass alone, in seconds.

    Assumes that this pass is utilised as well as the whole step.
    """
    return forward_flops / (gpus * peak_flops_per_second * mfu)


@quantity(symbol="D_g", unit=TOKENS_PER_GPU, label="tokens per GPU")
def tokens_per_gpu(tokens, gpus):
    """Return the tokens that one GPU works on in a step.

    Assumes that each GPU has tokens of its own, as in data parallelism.
    """
    return tokens / gpus


@quantity(
    symbol="s",
    unit=NUMBER,
    label="peak of the other card, as a multiple",
    other_peak=at("peak_flops_per_second", accelerator="other"),
)
def other_card_speedup(other_peak, peak_flops_per_second):
    """Return the other card's peak as a multiple of this card's."""
    return other_peak / peak_flops_per_second


@quantity(symbol="u", unit=NUMBER, label="share of the arithmetic that is the backward pass")
def backward_share(backward_flops_per_param_token, flops_per_param_token):
    """Return the part of a step's arithmetic that the backward pass does."""
    return backward_flops_per_param_token / flops_per_param_token


@quantity(symbol="m_s", unit=NUMBER, label="sparse against dense")
def sparsity_factor(headline_flops_per_second, peak_flops_per_second):
    """Return the headline peak of a card as a multiple of its dense peak: the error of whoever takes one for the other."""
    return headline_flops_per_second / peak_flops_per_second


@quantity(
    symbol="m_n",
    unit=NUMBER,
    label="a whole node against one GPU",
    of_one=at("headline_flops_per_second", accelerator="a100"),
)
def node_peak_factor(node_headline_flops_per_second, of_one):
    """Return the headline peak of a node as a multiple of the headline peak of one of its GPUs, both with sparsity."""
    return node_headline_flops_per_second / of_one


@predicate(label="the other card is faster", other_peak=at("peak_flops_per_second", accelerator="other"))
def other_card_is_faster(other_peak, peak_flops_per_second):
    """Tell whether the other card's peak is above this card's."""
    return other_peak > peak_flops_per_second
