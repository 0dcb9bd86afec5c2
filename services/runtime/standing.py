"""How a worker stands, by what it needs and what it has counted."""

from schemas.standing import Standing
from services.runtime.health import Health
from services.runtime.ops import Registry


def standing(
    registry: Registry,
    health: Health,
    *,
    done: str,
    failed: str,
    numbers: tuple[str, ...],
    owned: tuple[int, ...] = (),
) -> Standing:
    """`done`, `failed` and `numbers` are names that the registry tells, without `waraq_` before
    them; a counter's ends in `_total`.
    """
    missing = health.missing()
    return Standing(
        ready=not missing,
        missing=missing,
        done=_total(registry, done),
        failed=_total(registry, failed),
        numbers={name: _total(registry, name) for name in numbers},
        owned=owned,
    )


def _total(registry: Registry, name: str) -> int:
    """The sum of all that is told under it, of whatever labels; 0 for what is not told."""
    full = f"waraq_{name}"
    families = registry.restricted_registry([full]).collect()
    return int(sum(one.value for family in families for one in family.samples if one.name == full))
