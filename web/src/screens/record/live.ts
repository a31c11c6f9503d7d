// The connection to a live browser: pictures come in and the newest is drawn; mouse, keys and commands go out.
import { useEffect, useRef, useState } from "react";
import { queryClient } from "../../api/queries";
import { type LiveState, type ScriptState, scriptKey } from "../../api/recordings";
import type { Box } from "../../api/types";

const HEAD = 12; // bytes before the JPEG: its number, and how far the page was scrolled
const AGAIN = 1_000; // milliseconds before a lost connection is tried again
const ELSEWHERE = 4001;
const ENDED = 4002;

export type Outgoing = { kind: string } & Record<string, unknown>;

export interface Live {
  state: LiveState | null;
  /** Where the targets of steps are on the page, by the places of the steps. */
  boxes: Record<string, Box>;
  /** What is under the pointer while somebody points. */
  under: Box | null;
  /** Why there is nothing more to see, in words. */
  closed: string | null;
  send: (message: Outgoing) => void;
  forget: () => void;
}

export interface Picture {
  image: ImageBitmap;
  number: number;
  scroll: [number, number];
}

/** Keep a connection to a live browser; `draw` gets each picture that is to be seen, and nothing is drawn in between. */
export function useLive(id: string | null, draw: (picture: Picture) => void): Live {
  const [state, setState] = useState<LiveState | null>(null);
  const [boxes, setBoxes] = useState<Record<string, Box>>({});
  const [under, setUnder] = useState<Box | null>(null);
  const [closed, setClosed] = useState<string | null>(null);
  const socket = useRef<WebSocket | null>(null);
  const drawing = useRef(draw);
  drawing.current = draw;

  useEffect(() => {
    setState(null);
    setBoxes({});
    setUnder(null);
    setClosed(null);
    if (id === null) return;
    let over = false;
    let timer: ReturnType<typeof setTimeout>;
    const show = newest((picture, seen) => {
      if (!over) drawing.current(picture);
      seen();
    });
    const open = () => {
      const here = new WebSocket(
        `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/recordings/${encodeURIComponent(id)}/live`,
      );
      here.binaryType = "arraybuffer";
      socket.current = here;
      here.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
        if (typeof event.data !== "string") {
          show(event.data, (number) => here.readyState === 1 && here.send(seen(number)));
          return;
        }
        const message = JSON.parse(event.data) as { kind: string };
        if (message.kind === "state") setState(message as unknown as LiveState);
        else if (message.kind === "boxes") setBoxes((message as unknown as { boxes: typeof boxes }).boxes);
        else if (message.kind === "under") setUnder((message as unknown as { box: Box | null }).box);
        else if (message.kind === "script") {
          const { script } = message as unknown as { script: ScriptState };
          queryClient.setQueryData(scriptKey(script.name), script);
        }
      };
      here.onclose = (event) => {
        if (over) return;
        if (event.code === ELSEWHERE) setClosed("This browser is now shown in another tab of yours.");
        else if (event.code === ENDED) setClosed(event.reason || "The live browser has ended.");
        else timer = setTimeout(open, AGAIN);
        if (event.code === ENDED) queryClient.invalidateQueries({ queryKey: ["recordings"] });
      };
    };
    open();
    return () => {
      over = true;
      clearTimeout(timer);
      socket.current?.close();
      socket.current = null;
    };
  }, [id]);

  const send = (message: Outgoing) => {
    if (socket.current?.readyState === 1) socket.current.send(JSON.stringify(message));
  };
  return { state, boxes, under, closed, send, forget: () => setUnder(null) };
}

const seen = (number: number) => JSON.stringify({ kind: "seen", number });

/** Decode pictures one at a time; of those that come meanwhile, only the newest is kept, and the others count as seen. */
function newest(
  show: (picture: Picture, seen: () => void) => void,
): (data: ArrayBuffer, seen: (number: number) => void) => void {
  let waiting: (() => Promise<void>) | null = null;
  let busy = false;
  const work = async () => {
    busy = true;
    while (waiting) {
      const next: () => Promise<void> = waiting;
      waiting = null;
      await next();
    }
    busy = false;
  };
  return (data, seen) => {
    const head = new DataView(data);
    const number = head.getUint32(0, true);
    const scroll: [number, number] = [head.getFloat32(4, true), head.getFloat32(8, true)];
    waiting = async () => {
      const blob = new Blob([new Uint8Array(data, HEAD)], { type: "image/jpeg" });
      const image = await createImageBitmap(blob).catch(() => null);
      if (image) show({ image, number, scroll }, () => seen(number));
      else seen(number);
    };
    if (!busy) work();
  };
}
