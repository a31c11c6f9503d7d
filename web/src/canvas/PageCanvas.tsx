// A page as it was seen: its picture with marks over it. The page's own HTML never reaches the Studio.
import { type PointerEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Box, PageInfo } from "../api/types";
import { Button, IconButton } from "../design/controls";
import { useKeys } from "../state/keys";
import { type Mark, type MarkLook, within } from "./marks";
import css from "./PageCanvas.module.css";
import { SearchBar } from "./SearchBar";

export interface CanvasPoint {
  x: number;
  y: number;
}

interface PageCanvasProps {
  page: PageInfo;
  marks: readonly Mark[];
  /** Scrolled into view whenever it changes. */
  focus?: Box | null;
  onHover?: (point: CanvasPoint | null) => void;
  onClick?: (point: CanvasPoint) => void;
  /** Whether what a search finds can be clicked from the keyboard, too. */
  takesFound?: boolean;
  cursor?: "default" | "pointer" | "crosshair";
  name?: string;
}

const LEAST_ZOOM = 0.15;
const MOST_ZOOM = 3;
const ZOOM_STEP = 1.2;
const MARGIN = 12; // pixels of desk around the page

export function PageCanvas({
  page,
  marks,
  focus,
  onHover,
  onClick,
  cursor = "default",
  name = "",
  takesFound = false,
}: PageCanvasProps) {
  const desk = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<number | "fit">("fit");
  const [width, setWidth] = useState(0);
  const [view, setView] = useState({ top: 0, middle: 0, bottom: 2000 });
  const [searching, setSearching] = useState(false);
  const [found, setFound] = useState<{ boxes: Box[]; at: number }>({ boxes: [], at: 0 });

  const pageWidth = Math.max(page.width, 1);
  const pageHeight = Math.max(page.height, 1);
  const scale = zoom === "fit" ? Math.min(1, Math.max(LEAST_ZOOM, (width - 2 * MARGIN) / pageWidth)) : zoom;

  useLayoutEffect(() => {
    const element = desk.current!;
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    setWidth(element.clientWidth);
    return () => watch.disconnect();
  }, []);

  const look = useCallback(() => {
    const element = desk.current;
    if (!element) return;
    const top = (element.scrollTop - MARGIN) / scale;
    const height = element.clientHeight / scale;
    // Half a screen around what is seen, so that scrolling draws in time.
    setView((old) => {
      const next = { top: top - height / 2, middle: top + height / 2, bottom: top + height * 1.5 };
      return Math.abs(next.top - old.top) > height / 4 || old.bottom < top + height ? next : old;
    });
  }, [scale]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width shows another part of the page
  useEffect(look, [look, width]);

  // Zooming keeps what is in the middle in the middle.
  const zoomTo = useCallback(
    (wanted: number, at?: { x: number; y: number }) => {
      const element = desk.current!;
      const next = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, wanted));
      const middle = at ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 };
      const x = (element.scrollLeft + middle.x - MARGIN) / scale;
      const y = (element.scrollTop + middle.y - MARGIN) / scale;
      setZoom(next);
      requestAnimationFrame(() => {
        element.scrollLeft = x * next + MARGIN - middle.x;
        element.scrollTop = y * next + MARGIN - middle.y;
      });
    },
    [scale],
  );

  useEffect(() => {
    const element = desk.current!;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      zoomTo(scale * Math.exp(-event.deltaY / 300), {
        x: event.clientX - box.left,
        y: event.clientY - box.top,
      });
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [scale, zoomTo]);

  const show = useCallback(
    (box: Box) => {
      const element = desk.current!;
      const top = box[1] * scale + MARGIN;
      const bottom = box[3] * scale + MARGIN;
      const left = box[0] * scale + MARGIN;
      const fits = top >= element.scrollTop + 24 && bottom <= element.scrollTop + element.clientHeight - 24;
      if (!fits) {
        const room = Math.max((element.clientHeight - (bottom - top)) / 2, element.clientHeight * 0.12);
        element.scrollTo({ top: top - room, behavior: "auto" });
      }
      if (left < element.scrollLeft || left > element.scrollLeft + element.clientWidth - 40) {
        element.scrollTo({ left: left - 60, behavior: "auto" });
      }
    },
    [scale],
  );
  const focusKey = focus?.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a box is the same if its numbers are
  useEffect(() => {
    if (focus && width) show(focus);
  }, [focusKey, width > 0]);

  useKeys("Page", [
    { keys: "/", label: "Search on the page", run: () => setSearching(true) },
    { keys: "+", label: "Zoom in", run: () => zoomTo(scale * ZOOM_STEP) },
    { keys: "-", label: "Zoom out", run: () => zoomTo(scale / ZOOM_STEP) },
    { keys: "0", label: "Fit the width", run: () => setZoom("fit") },
  ]);

  const pointOf = (event: PointerEvent): CanvasPoint => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale };
  };

  /** Show what was found, and what a click on it would do. */
  const point = (box: Box) => {
    show(box);
    if (takesFound) onHover?.(middleOf(box));
  };
  const take = (box: Box | undefined) => {
    if (!box) return;
    setSearching(false);
    setFound({ boxes: [], at: 0 });
    onClick?.(middleOf(box));
  };

  const shown = useMemo(() => within(marks, view.top, view.bottom), [marks, view]);
  const hits = found.boxes.map(
    (box, place): Mark => ({
      id: `search ${place}`,
      box,
      look: place === found.at ? "lit" : "found",
      colour: "var(--data-5)",
    }),
  );
  const tiles = page.pictures.filter((tile) => tile.box[3] >= view.top && tile.box[1] <= view.bottom);

  return (
    <div className={css.canvas}>
      {searching && (
        <SearchBar
          page={page.id}
          count={found.boxes.length}
          at={found.at}
          onFound={(boxes) => {
            setFound({ boxes, at: 0 });
            if (boxes[0]) point(boxes[0]);
          }}
          onMove={(by) => {
            const at = (found.at + by + found.boxes.length) % Math.max(found.boxes.length, 1);
            setFound({ ...found, at });
            if (found.boxes[at]) point(found.boxes[at]);
          }}
          onTake={takesFound && onClick ? () => take(found.boxes[found.at]) : undefined}
          onClose={() => {
            setSearching(false);
            setFound({ boxes: [], at: 0 });
          }}
        />
      )}
      <div
        className={css.desk}
        ref={desk}
        onScroll={look}
        tabIndex={0}
        role="region"
        aria-label={`Page ${name || page.title}`}
      >
        <div
          className={css.page}
          data-testid="page"
          data-cursor={cursor}
          style={{ width: pageWidth * scale, height: pageHeight * scale }}
          onPointerMove={(event) => onHover?.(pointOf(event))}
          onPointerLeave={() => onHover?.(null)}
          onPointerUp={(event) => event.button === 0 && onClick?.(pointOf(event))}
        >
          {tiles.map((tile) => (
            <img
              key={tile.index}
              src={`/api/pages/${page.id}/pictures/${tile.index}`}
              alt=""
              draggable={false}
              className={css.tile}
              style={placed(tile.box, scale)}
            />
          ))}
          {page.pictures.length === 0 && (
            <p className={css.bare}>This page was opened without a browser, so there is no picture of it.</p>
          )}
          <Overlay marks={[...shown, ...hits]} width={pageWidth} height={pageHeight} scale={scale} />
        </div>
      </div>
      <div className={css.tools}>
        {page.sheets.length > 1 && <SheetChooser page={page} middle={view.middle} onChoose={show} />}
        <IconButton icon="search" label="Search on the page" keys="/" onClick={() => setSearching(true)} />
        <IconButton icon="minus" label="Zoom out" keys="-" onClick={() => zoomTo(scale / ZOOM_STEP)} />
        <Button
          look="ghost"
          className={css.zoom ?? ""}
          title="Fit the width  (0)"
          onClick={() => setZoom("fit")}
        >
          {Math.round(scale * 100)} %
        </Button>
        <IconButton icon="plus" label="Zoom in" keys="+" onClick={() => zoomTo(scale * ZOOM_STEP)} />
      </div>
    </div>
  );
}

function placed(box: Box, scale: number) {
  return {
    left: box[0] * scale,
    top: box[1] * scale,
    width: (box[2] - box[0]) * scale,
    height: (box[3] - box[1]) * scale,
  };
}

/** How far a frame stands off what it frames, in pixels of the screen, so that it covers no text. */
const OFF: Partial<Record<MarkLook, number>> = {
  candidate: 4,
  chosen: 5,
  lit: 2,
  example: 2,
  question: 3,
  preview: 1,
};

function Overlay({
  marks,
  width,
  height,
  scale,
}: {
  marks: Mark[];
  width: number;
  height: number;
  scale: number;
}) {
  return (
    <>
      <svg className={css.overlay} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {marks.map((mark) => {
          const off = (OFF[mark.look] ?? 0) / scale;
          return (
            <rect
              key={mark.id}
              data-mark={mark.id}
              data-look={mark.look}
              x={mark.box[0] - off}
              y={mark.box[1] - off}
              width={Math.max(mark.box[2] - mark.box[0], 1) + 2 * off}
              height={Math.max(mark.box[3] - mark.box[1], 1) + 2 * off}
              rx={3 / scale}
              style={{ color: mark.colour }}
            />
          );
        })}
      </svg>
      {marks
        .filter((mark) => mark.label)
        .map((mark) => (
          <span
            key={mark.id}
            className={css.label}
            data-look={mark.look}
            data-place={placeOf(mark, scale)}
            style={{ ...labelAt(mark, width, scale), color: mark.colour }}
          >
            <span>{mark.label}</span>
          </span>
        ))}
    </>
  );
}

const LEAST_LABEL = 90; // pixels of the screen that a label may take, however narrow its box is
const ONE_LINE = 30; // pixels of the screen: what is lower is one line of text

/** Where a label covers least: frames have it at their right end, single lines beside them, all else above. */
function placeOf(mark: Mark, scale: number): "frame" | "beside" | "above" {
  if (mark.look === "candidate" || mark.look === "chosen") return "frame";
  const isLine = (mark.box[3] - mark.box[1]) * scale < ONE_LINE;
  return isLine && (mark.look === "part" || mark.look === "issue") ? "beside" : "above";
}

function labelAt(mark: Mark, width: number, scale: number) {
  const [x0, y0, x1, y1] = mark.box;
  const off = OFF[mark.look] ?? 0;
  const maxWidth = Math.max(LEAST_LABEL, (x1 - x0) * scale);
  switch (placeOf(mark, scale)) {
    case "frame":
      return { right: (width - x1) * scale - off, top: y0 * scale - off, maxWidth };
    case "beside":
      return { left: x1 * scale + off + 3, top: ((y0 + y1) / 2) * scale, maxWidth };
    default:
      return { left: x0 * scale - off, top: y0 * scale - off, maxWidth };
  }
}

function SheetChooser({
  page,
  middle,
  onChoose,
}: {
  page: PageInfo;
  middle: number;
  onChoose: (box: Box) => void;
}) {
  const current = page.sheets.findLast((sheet) => sheet.box[1] <= middle) ?? page.sheets[0]!;
  const go = (by: number) => {
    const sheet = page.sheets[page.sheets.indexOf(current) + by];
    if (sheet) onChoose(sheet.box);
  };
  return (
    <>
      <IconButton
        icon="left"
        label="Previous sheet"
        disabled={current === page.sheets[0]}
        onClick={() => go(-1)}
      />
      <span className={css.sheet}>
        Sheet {current.number} of {page.sheets.length}
      </span>
      <IconButton
        icon="right"
        label="Next sheet"
        disabled={current === page.sheets.at(-1)}
        onClick={() => go(1)}
      />
      <span className={css.line} />
    </>
  );
}

const middleOf = (box: Box): CanvasPoint => ({ x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2 });
