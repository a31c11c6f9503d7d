"""Inductions: wrappers learned from several pages alone."""

from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from sightline.extract.schemas import InduceSettings
from sightline.extract.wrappers import induce
from sightline.server._job_registry import JobHandle
from sightline.server._jobs import accepted
from sightline.server._shapes import JobResponse
from sightline.server._studio import StudioDep
from sightline.server._wrapper_desk import WrapperDesk

__all__ = ["router"]

router = APIRouter(tags=["wrappers"])

MOST_PAGES = 500  # as many as one upload brings


class InductionRequest(BaseModel):
    """The pages to learn from; `all_fields` keeps also what the pages are not about, such as menus."""

    pages: list[str] = Field(min_length=1, max_length=MOST_PAGES)
    name: str | None = Field(default=None, max_length=1_000)
    all_fields: bool = False


@router.post("/inductions", status_code=202, response_model=JobResponse)
def start_induction(wanted: InductionRequest, studio: StudioDep) -> Response:
    """Learn a wrapper from pages alone; the result of the job names it."""
    ids = list(dict.fromkeys(wanted.pages))
    for page_id in ids:
        studio.check_page(page_id)
    desk = studio.part(WrapperDesk)
    infos = [studio.info(page_id) for page_id in ids]
    chosen = wanted.name or desk.documents.free_name(infos[0].title or "wrapper")
    desk.documents.path(chosen)  # a name that no file can have is refused before anything is done

    def work(job: JobHandle) -> dict[str, Any]:
        pages = []
        for page_id in ids:
            pages.append(studio.page(page_id))
            job.progress(len(pages), len(ids), "Opening")
        made = induce(
            pages,
            names=[info.url or info.source or info.title for info in infos],
            settings=InduceSettings(all_fields=wanted.all_fields),
            progress=lambda _, complying: job.progress(complying, len(ids), "Learning"),
        )
        job.progress(len(ids), len(ids), "Saving")
        desk.put(chosen, made, ids)
        return {"wrapper": chosen}

    return accepted(studio.board.start("induce", chosen, work))
