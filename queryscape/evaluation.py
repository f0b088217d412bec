"""Score any set of retrieved publications: vectors or texts of one's own, or a version of a topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

from core.errors import InputError, SettingsError
from core.settings import Compat, CosineMode, EvaluationSettings, ProjectionMethod, ProjectionSettings
from core.text import first_of, many
from queryscape.results import DrawnScene, EvaluationResult, shortened

if TYPE_CHECKING:
    from core.explore.scene import Scene
    from core.protocols import Embedder
    from core.types import EmbeddedSet, Ids, Projection, RegionKind
    from queryscape.workspace import TopicVersion, WorkspaceTopic

# Settings and regions by name, as everywhere in the library.

Regions = str | Sequence[str] | None


class SettingNames(TypedDict, total=False):
    """Every evaluation setting by its name, as in `EvaluationSettings`."""

    cosine_mode: CosineMode | None
    min_similarity: float
    quantile: float
    min_core_share: float
    max_k: int
    decay_limit: float
    decay_onset: float
    decay_steepness: float
    beta: float
    seed: int
    compat: Compat | None


def read_settings(
    settings: EvaluationSettings | Mapping[str, Any] | None, named: Mapping[str, Any]
) -> EvaluationSettings:
    """Return the settings, given as an object, a mapping or by name. A threshold implies its mode.

    >>> read_settings(None, {"quantile": 0.2}).cosine_mode
    'quantile'
    """
    from dashboard.kit.scoring import MODES
    from dashboard.kit.scoring import read_settings as read_flags

    if isinstance(settings, EvaluationSettings):
        if named:
            raise InputError("give the settings either as an object or by name, not both")
        return settings
    if settings is not None and not isinstance(settings, Mapping):
        raise InputError(f"settings must be EvaluationSettings or a dict, got {type(settings).__name__}")
    given = {**(settings or {}), **named}
    if unknown := [name for name in given if name not in SettingNames.__annotations__]:
        raise InputError(f'no setting "{unknown[0]}": the settings are {", ".join(SettingNames.__annotations__)}')
    for name, mode in MODES.items():
        if given.get(name) is not None and (other := given.get("cosine_mode") or mode) != mode:
            raise SettingsError(f'{name} needs cosine_mode="{mode}", not "{other}"')
    return read_flags(given)


def read_regions(regions: Regions) -> tuple[RegionKind, ...]:
    """Return the kinds of region, in any case; None: those that the app shows.

    >>> read_regions("cosine")
    ('cosine',)
    """
    from core.explore.regions import DEFAULT_REGIONS, REGIONS
    from dashboard.kit.scoring import read_regions as read_listed

    if regions is None:
        return tuple(DEFAULT_REGIONS)
    if not regions or not isinstance(regions, Iterable):
        raise SettingsError(f"regions must list at least one of {', '.join(REGIONS)}")
    return read_listed((regions if isinstance(regions, str) else ",".join(map(str, regions))).lower())


# Ids of publications, and rows of a matrix.

MOST_IDS = 5
"""Ids listed in a warning."""


@dataclass(frozen=True, slots=True)
class RowNames:
    """The ids of the rows, in order. Without ids of their own, rows are named by their numbers."""

    ids: Ids
    are_numbers: bool

    @classmethod
    def of(cls, ids: Iterable[object] | None, n: int) -> RowNames:
        if ids is None:
            return cls(tuple(map(str, range(n))), True)
        values = _listed(ids, "ids")
        if any(map(_is_missing, values)):
            raise InputError("ids has missing values: give every row an id, or leave out ids= to use row numbers")
        # A column of whole numbers with a gap is read as floats by pandas; 7.0 is the id 7 nevertheless.
        names = tuple(
            f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value) for value in values
        )
        if len(names) != n:
            raise InputError(f"{len(names):,} ids but {many(n, 'row')}: give one id per row")
        return cls(names, False)

    def chosen(self, given: object, what: str) -> Ids:
        """Return the ids meant by a list of ids, of row numbers, or by a mask of True and False, or of 1 and 0.

        Whole numbers are ids if the ids are numbers and one of them is among the ids.

        >>> names = RowNames.of(["a", "b", "c"], 3)
        >>> names.chosen([1, 0, 1], "core"), names.chosen([0, 2], "core")
        (('a', 'c'), ('a', 'c'))
        """
        values, n = _listed(given, what), len(self.ids)
        if any(map(_is_missing, values)):
            raise InputError(f"{what} has missing values: fill them, in a mask with False or 0")
        if not values:
            return ()
        if all(isinstance(value, bool) for value in values):
            if len(values) != n:
                raise InputError(f"{what} is a mask of {len(values):,} values for {many(n, 'row')}")
            return tuple(i for i, ok in zip(self.ids, values, strict=True) if ok)
        are_bits = all(value in (0, 1, "0", "1") for value in values)
        if are_bits and len(values) == n and len(set(values)) < n:
            return tuple(i for i, bit in zip(self.ids, values, strict=True) if bit in (1, "1"))
        if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            known = set(self.ids)
            if not self.are_numbers and any(str(value) in known for value in values):
                return tuple(map(str, values))
            return self._at(cast("list[int]", values), what, are_bits=are_bits)
        if not all(isinstance(value, str) for value in values):
            raise InputError(f"{what} must be a list of ids, of row numbers, or a mask, not a mixture")
        texts = tuple(map(str, values))
        if not set(texts) & set(self.ids):
            of = "rows have no ids: pass ids=, a dict by id, or row numbers" if self.are_numbers else "check both"
            raise InputError(
                f'{what}: none of its ids, such as "{texts[0][:40]}", is an id of the vectors or texts; {of}'
            )
        return texts

    def _at(self, rows: list[int], what: str, *, are_bits: bool) -> Ids:
        n = len(self.ids)
        if outside := [row for row in rows if not 0 <= row < n]:
            raise InputError(f"{what} has the row {outside[0]}, but rows go from 0 to {n - 1:,}")
        if len(set(rows)) < len(rows):
            repeated, _ = Counter(rows).most_common(1)[0]
            hint = f": a mask of 0 and 1 needs {many(n, 'value')}, not {len(rows):,}" if are_bits else ""
            raise InputError(f"{what} has the row number {repeated} more than once{hint}")
        return tuple(self.ids[row] for row in rows)

    def unknown_warning(self, ids: Ids, what: str) -> list[str]:
        """Return the warning about ids that no vector or text has; none if all are known."""
        known = set(self.ids)
        if not (unknown := [f'"{shortened(i)}"' for i in dict.fromkeys(ids) if i not in known]):
            return []
        n = len(set(ids))
        return [
            f"{many(len(unknown), 'id')} in {what} (of {n:,}) without a vector or text: {first_of(unknown, MOST_IDS)}"
        ]


def _is_missing(value: object) -> bool:
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def _listed(given: object, what: str) -> list[object]:
    if hasattr(given, "tolist"):  # numpy arrays, and series and indexes of pandas
        given = given.tolist()
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise InputError(f"{what} must be a list of ids or row numbers, got {type(given).__name__}")
    values = list(given)
    if any(isinstance(value, list | tuple) for value in values):
        raise InputError(f"{what} must be ids or row numbers; pass the matrix of vectors as the third argument")
    return [value.item() if hasattr(value, "item") else value for value in values]


def _embedded(
    material: object, ids: Iterable[object] | None, embedder: str | Embedder | None, *, are_texts: bool
) -> tuple[EmbeddedSet, RowNames, list[str]]:
    """Return the vectors of the publications, their names and cautions, from vectors or texts in any natural form."""
    from core.vectors import embedded_set

    if isinstance(columns := getattr(material, "columns", None), Iterable):
        _check_frame(material, list(columns), are_texts=are_texts)
    if hasattr(material, "to_numpy") and hasattr(material, "index"):  # a frame or a series of pandas, by its index
        ids = list(material.index) if ids is None else ids
        material = material.to_numpy().tolist() if getattr(material, "ndim", 2) == 1 else material.to_numpy()
    if isinstance(material, Mapping):
        if ids is not None:
            raise InputError("leave out ids=: the keys of the dict are the ids")
        ids, material = list(material), list(material.values())
    if isinstance(material, str | bytes) or not (hasattr(material, "__len__") and hasattr(material, "__iter__")):
        forms = "texts (a list, or a dict by id)"
        if not are_texts:
            forms = f"vectors (a matrix, or a dict by id) or {forms}"
        raise InputError(f"expected {forms} of the publications, got {type(material).__name__}")
    values = cast("Sequence[Any]", material)
    names = RowNames.of(ids, len(values))
    text_mask = [isinstance(value, str) for value in values]
    are_texts = are_texts or any(text_mask)
    if are_texts:
        if not all(text_mask):
            odd = type(values[text_mask.index(False)]).__name__
            raise InputError(f"texts must all be strings, got {odd}; use an empty string for a publication without one")
        vectors, model_id = embed_texts([str(value) for value in values], embedder or "lsa")
    else:
        if embedder is not None and not isinstance(embedder, str):
            raise InputError("an embedder embeds texts: for vectors, give the name of their model or nothing")
        vectors, model_id = _matrix(values), embedder or "vectors"
    embedded, left_out = embedded_set(names.ids, vectors, model_id)
    of = f"{len(left_out):,} of {many(len(values), 'text' if are_texts else 'vector')}"
    why = "have no usable words" if are_texts else "are all zeros, or hold NaN or infinity"
    return embedded, names, [f"{of} {why} and can't be scored"] if left_out else []


def _check_frame(frame: Any, columns: list[object], *, are_texts: bool) -> None:
    """Raise an error if a frame is given for texts, or has a column of texts among its vectors."""
    words = [name for name, dtype in zip(columns, frame.dtypes, strict=True) if dtype.kind not in "fiub"]
    if are_texts or words:
        if are_texts:
            title = next((name for name in words if str(name).lower() in ("title", "abstract", "text")), "title")
            raise InputError(f'texts are one column, not a frame: texts=df["{title}"]')
        raise InputError(f'vectors are numbers: leave out "{words[0]}", or pass texts with texts=df["{words[0]}"]')


def _matrix(values: Sequence[Any]) -> Any:
    import numpy as np

    try:
        return np.asarray(values if isinstance(values, np.ndarray) else list(values))
    except ValueError as e:
        raise InputError("vectors must all have the same number of dimensions") from e


def embed_texts(texts: Sequence[str], embedder: str | Embedder) -> tuple[Any, str]:
    """Return one row per text, and the name of the model. `lsa` is fitted to these texts, on this machine."""
    from data.models.embedders import EMBEDDERS, PROVIDERS, SPELLINGS, read_name

    if not isinstance(embedder, str):
        return embedder.embed(texts), embedder.model_id
    if embedder in EMBEDDERS:
        from pathlib import Path
        from tempfile import TemporaryDirectory

        with TemporaryDirectory(prefix="queryscape-") as folder:
            return EMBEDDERS[embedder](Path(folder, "model"), lambda: texts).embed(texts), embedder
    name = read_name(embedder)
    if name is None:
        raise InputError(f'no embedder "{embedder}": choose one of {SPELLINGS}, or pass an object with embed(texts)')
    return PROVIDERS[name.provider](name.model, None).embed(texts), name.stored


def _projection(
    embedded: EmbeddedSet, names: RowNames, points: object, projection: ProjectionSettings | ProjectionMethod
) -> Projection | None:
    import numpy as np

    from core.explore.landscape import MIN_PUBLICATIONS
    from core.types import Projection
    from data.explore.layout_process import lay_out

    if points is not None:
        places = np.asarray(points, dtype=np.float64)
        if places.shape != (len(names.ids), 2):
            raise InputError(f"points must have {many(len(names.ids), 'row')} and two columns, got {places.shape}")
        return Projection(names.ids, places, "points")
    if len(embedded) < MIN_PUBLICATIONS:
        return None
    settings = ProjectionSettings(method=projection) if isinstance(projection, str) else projection
    return lay_out(embedded, settings, projection_id=settings.method)


def evaluate(
    core: str | WorkspaceTopic | Iterable[object],
    retrieved: str | TopicVersion | Iterable[object],
    vectors: object = None,
    *,
    texts: object = None,
    ids: Iterable[object] | None = None,
    embedder: str | Embedder | None = None,
    points: object = None,
    projection: ProjectionSettings | ProjectionMethod = "umap",
    regions: Regions = None,
    intervals: bool = False,
    topic: str = "Publications",
    version: str = "retrieved",
    settings: EvaluationSettings | Mapping[str, Any] | None = None,
    **named: Unpack[SettingNames],
) -> EvaluationResult:
    """Score a set of retrieved publications against the core publications, as the app does.

    Either of a topic: `evaluate(topic, version)`, where a topic's name is looked up in the default workspace. Or of
    publications of your own: `evaluate(core, retrieved, vectors_or_texts)`.

    Parameters
    ----------
    core, retrieved
        The publications known to be relevant, and those that a search returned: ids, row numbers, or a mask of True
        and False or of 1 and 0, one for each publication. Whole numbers are ids if the ids are numbers.
    vectors
        A matrix, a DataFrame or a dict by id of vectors; or texts: a list or a dict by id.
    texts
        The texts by name, in place of the third argument.
    ids
        The ids of the rows. Without them, rows are named by their numbers from 0.
    embedder
        For texts: `lsa` (the default: local, fitted to these texts), another of the app's embedders, or an object
        with `embed(texts)` and `model_id`. For vectors: the name of their model. For a topic: whose vectors to use.
    points
        Coordinates of the rows, in place of a layout of our own. `projection`: the settings of the layout, or its
        method, `umap` or `pca`. Only regions on the landscape need it.
    regions
        Kinds of region, such as `["cosine", "hull"]`. Default: those that the app shows.
    intervals
        Also compute the ranges of the scores over resampled core sets.
    topic, version
        Names in the result.
    settings
        An `EvaluationSettings`, or a dict; single settings are also given by name, such as `beta=1`.

    >>> import queryscape as qs
    >>> vectors = [[9, 0], [9, 1], [9, 2], [9, 3], [9, 4], [0, 9]]
    >>> result = qs.evaluate([0, 1, 5], [0, 1, 2, 3], vectors, regions=["cosine"], min_similarity=0.5)
    >>> result.missed
    ('5',)
    >>> result
    <Publications · retrieved: 2 of 3 core publications found (recall 0.667), 4 retrieved; F2: Cosine 0.714>
    """
    from core.explore.regions import PROJECTION_REGIONS
    from core.explore.scene import Scene
    from core.types import CoreSet, RetrievedSet, unique_ids
    from queryscape.workspace import TopicVersion, WorkspaceTopic, open_workspace

    if isinstance(core, WorkspaceTopic | str):
        if any(given is not None for given in (vectors, texts, ids, points)):
            if isinstance(core, str):
                raise InputError(
                    f'core is the text "{shortened(core)}": give a list of ids, such as ["{shortened(core)}"]'
                )
            raise InputError("a topic has publications of its own: leave out vectors, texts, ids and points")
        if not isinstance(retrieved, str | TopicVersion):
            raise InputError("a topic is evaluated with the label of a version: evaluate(topic, version)")
        if embedder is not None and not isinstance(embedder, str):
            raise InputError("for a topic, give the embedder by its name")
        more: Any = {"embedder": embedder, "regions": regions, "intervals": intervals, "settings": settings, **named}
        if isinstance(core, WorkspaceTopic):
            return core.evaluate(retrieved, **more)
        with open_workspace() as workspace:
            return workspace.evaluate(core, retrieved, **more)
    if (vectors is None) == (texts is None):
        raise InputError(
            "give either vectors or texts of the publications: evaluate(core, retrieved, vectors_or_texts)"
        )
    chosen, kinds = read_settings(settings, named), read_regions(regions)
    embedded, names, cautions = _embedded(
        vectors if texts is None else texts, ids, embedder, are_texts=texts is not None
    )
    core_ids, retrieved_ids = unique_ids(names.chosen(core, "core")), names.chosen(retrieved, "retrieved")
    cautions = [
        *names.unknown_warning(core_ids, "core"), *names.unknown_warning(retrieved_ids, "retrieved"), *cautions
    ]  # fmt: skip
    scene = Scene.of(RetrievedSet.of("retrieved", retrieved_ids), CoreSet(topic, core_ids), embedded)

    def placed() -> Projection | None:
        return _projection(embedded, names, points, projection)

    if any(kind in PROJECTION_REGIONS for kind in kinds) and (place := placed()) is not None:
        scene = scene.on(place)
    result = _result(scene, placed, chosen, kinds, intervals=intervals, topic=topic, version=version)
    return replace(result, evaluation=replace(result.evaluation, warnings=(*cautions, *result.warnings)))


def _result(
    scene: Scene,
    placed: Any,
    settings: EvaluationSettings,
    kinds: tuple[RegionKind, ...],
    *,
    intervals: bool,
    topic: str,
    version: str,
) -> EvaluationResult:
    from core.explore.evaluate import evaluate_scene
    from core.explore.uncertainty import sensitivity

    evaluation = evaluate_scene(
        scene,
        topic_id=topic,
        query_id="retrieved",
        settings=settings,
        regions=kinds,
        sensitivity=sensitivity(scene, kinds, settings) if intervals else {},
    )

    def drawn() -> DrawnScene:
        from core.explore.evaluate import fit_regions
        from core.explore.landscape import lay_out
        from core.explore.scene import FittedRegion

        place = scene.projection or placed()
        whole = scene if place is None else scene.on(place)
        landscape = lay_out(whole)
        outlines = {}
        if place is not None:
            for kind, fit in fit_regions(whole, settings, ("mvee", "hull")).items():
                outline = fit.region.outline() if isinstance(fit, FittedRegion) else None
                if outline is not None:
                    outlines[kind] = outline
        return DrawnScene(landscape, outlines, landscape.ids, [None] * len(landscape), made_up=False)

    return EvaluationResult(evaluation, version, intervals, drawn)
