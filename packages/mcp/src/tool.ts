/** Contract of the tools that an agent may call. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { OpenWorld } from './agent-world.ts'
import type { Answer } from './answer.ts'

/** One call of a tool, about one world. */
export interface Asked {
  readonly on: OpenWorld
  /** Arguments, of the types that the tool declares. */
  readonly args: JsonObject
  readonly signal: AbortSignal
}

/** A tool. The arguments `budget` and `world` are added to `properties` for all tools alike. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly properties: JsonObject
  readonly required?: readonly string[]
  /** Definitions to which the properties refer. */
  readonly definitions?: JsonObject | undefined
  readonly isSafe: boolean
  /** Reports whether a world has the tool. Default: all worlds. */
  readonly isOf?: (world: OpenWorld) => boolean
  answer(asked: Asked): Promise<Answer>
}

/** Thrown for a call that cannot be answered. The message names a call that can. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault'
}

/** JSON Schema of a list of texts. */
export const TEXTS: JsonObject = { type: 'array', items: { type: 'string' } }

/** Returns an argument that is a list of texts; empty if it is absent. */
export function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** Returns an argument that is a text; undefined if it is absent or empty. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Place in a list of results: the cursor of a page of the world, and the number of its entities that were shown. */
export interface Place {
  readonly cursor: string | undefined
  readonly skip: number
}

/** Reads the argument `cursor`, as `placeText` wrote it. @throws ToolFault */
export function placeOf(value: JsonValue | undefined): Place {
  const text = textOf(value)
  if (text === undefined) return { cursor: undefined, skip: 0 }
  const [, skip, cursor] = /^(\d{1,6})~(.*)$/s.exec(text) ?? []
  if (skip === undefined)
    throw new ToolFault('cursor comes from the end of an earlier answer. Repeat the call without it.')
  return { cursor: cursor || undefined, skip: Number(skip) }
}

/**
 * Returns the cursor that goes on after `shown` of `length` entities of the page at `place`, whose own next cursor is
 * `next`; undefined after the last one.
 */
export function placeAfter(
  { cursor, skip }: Place,
  shown: number,
  length: number,
  next: unknown,
): string | undefined {
  if (skip + shown < length) return `${skip + shown}~${cursor ?? ''}`
  return typeof next === 'string' ? `0~${next}` : undefined
}
