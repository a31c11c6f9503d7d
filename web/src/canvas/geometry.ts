// The nodes of a page by their place: what is under the pointer, what is around it, and where a text stands.
import type { Box, Geometry } from "../api/types";

export interface PlacedNode {
  node: number;
  box: Box;
  tag: string;
  text: string;
}

export function boxAt(geometry: Geometry, place: number): Box {
  const at = place * 4;
  const { boxes } = geometry;
  return [boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!];
}

/** The place of the innermost node at a point, or -1. */
export function placeAt(geometry: Geometry, x: number, y: number): number {
  const { boxes } = geometry;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let place = 0, at = 0; place < geometry.nodes.length; place += 1, at += 4) {
    if (x < boxes[at]! || x > boxes[at + 2]! || y < boxes[at + 1]! || y > boxes[at + 3]!) continue;
    const size = (boxes[at + 2]! - boxes[at]!) * (boxes[at + 3]! - boxes[at + 1]!);
    // Of two of the same size the later one is the inner one, since nodes are in document order.
    if (size <= least) {
      best = place;
      least = size;
    }
  }
  return best;
}

export function nodeAt(geometry: Geometry, x: number, y: number): PlacedNode | null {
  const place = placeAt(geometry, x, y);
  return place < 0 ? null : placedNode(geometry, place);
}

export function placedNode(geometry: Geometry, place: number): PlacedNode {
  return {
    node: geometry.nodes[place]!,
    box: boxAt(geometry, place),
    tag: geometry.tags[geometry.tag[place]!]!,
    text: textOf(geometry, place),
  };
}

/** The node around a node, if it is larger: what "one level up" means to somebody who only sees boxes. */
export function wider(geometry: Geometry, node: number): PlacedNode | null {
  const place = geometry.nodes.indexOf(node);
  if (place < 0) return null;
  const box = boxAt(geometry, place).join();
  for (let up = geometry.parents[place]!; up >= 0; up = geometry.parents[up]!) {
    if (boxAt(geometry, up).join() !== box) return placedNode(geometry, up);
  }
  return null;
}

const LONGEST = 300;

/** The texts in a node: those of the places below it, which follow it. */
export function textOf(geometry: Geometry, place: number): string {
  const parts: string[] = [];
  const inside = new Set([place]);
  for (let at = place; at < geometry.nodes.length; at += 1) {
    if (at > place) {
      if (!inside.has(geometry.parents[at]!)) break;
      inside.add(at);
    }
    const text = geometry.texts[at];
    if (text) parts.push(text);
    if (parts.join(" ").length > LONGEST) break;
  }
  return parts.join(" ").replace(/\s+/g, " ").trim();
}

/** Where some words stand on a page: the boxes of the texts that contain them. */
export function search(geometry: Geometry, words: string): Box[] {
  const wanted = words.trim().toLowerCase().replace(/\s+/g, " ");
  if (!wanted) return [];
  const found: Box[] = [];
  geometry.texts.forEach((text, place) => {
    if (text?.toLowerCase().replace(/\s+/g, " ").includes(wanted)) found.push(boxAt(geometry, place));
  });
  return found;
}
