// Teach: the lessons of the project, or the one that is open.
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, api } from "../../api/client";
import { useLessons, usePages } from "../../api/queries";
import type { LessonState } from "../../api/types";
import { Busy, Button, Complaint } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { useQueryParam } from "../../state/useQueryParam";
import { useOpener } from "../open/opening";
import screens from "../screens.module.css";
import { LessonScreen } from "./LessonScreen";
import css from "./teach.module.css";

export default function TeachScreen({ name }: { name: string | null }) {
  const [page, setPage] = useQueryParam("page");
  if (name) return <LessonScreen name={name} page={page} onPage={setPage} />;
  return <LessonList />;
}

function LessonList() {
  const [, go] = useLocation();
  const lessons = useLessons();
  const pages = usePages();
  const [problem, setProblem] = useState<ApiError | null>(null);
  const begin = async (page: string) => {
    try {
      const lesson = await api<LessonState>("/lessons", { body: { page } });
      go(`/teach/${encodeURIComponent(lesson.name)}?page=${page}`);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
    }
  };
  const opener = useOpener((opened) => opened[0] && begin(opened[0].id));
  if (lessons.isPending) return <Busy>Looking for lessons …</Busy>;
  return (
    <div className={css.list}>
      <h1>Teach by pointing</h1>
      <p className="quiet">
        Click one value on a page. Everything like it lights up; click what is wrong to reject it. Two or
        three clicks make a wrapper.
      </p>
      {problem && <Complaint>{problem.message}</Complaint>}
      {opener.problem && <Complaint>{opener.problem.message}</Complaint>}
      {lessons.error && <Complaint>{lessons.error.message}</Complaint>}
      {!!lessons.data?.length && (
        <section>
          <h2>Lessons</h2>
          <ul className={css.rows}>
            {lessons.data.map((lesson) => (
              <li key={lesson.name}>
                <Link href={`/teach/${encodeURIComponent(lesson.name)}`} className={css.rowLink}>
                  <Icon name="teach" />
                  <strong className="clip">{lesson.name}</strong>
                  <span className="clip">{lesson.fields === 1 ? "1 field" : `${lesson.fields} fields`}</span>
                  <span>{lesson.pages === 1 ? "1 page" : `${lesson.pages} pages`}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>Start on a page</h2>
        <ul className={css.rows}>
          {pages.data?.slice(0, 30).map((page) => (
            <li key={page.id}>
              <button type="button" className={css.rowLink} onClick={() => begin(page.id)}>
                <Icon name={page.kind === "pdf" ? "pdf" : "page"} />
                <strong className="clip">{page.title || page.source}</strong>
                <span className="clip">{page.source}</span>
              </button>
            </li>
          ))}
        </ul>
        {pages.data?.length === 0 && (
          <div className={screens.empty}>
            <p>There is no page yet. Open one, or try the camera shop.</p>
            <div className={screens.actions}>
              <Button look="primary" onClick={() => go("/")}>
                Open a page
              </Button>
              <Button
                disabled={opener.busy !== null}
                onClick={() => opener.example("camera-shop", "the camera shop")}
              >
                Try the camera shop
              </Button>
            </div>
          </div>
        )}
      </section>
    </div>
  );
}
