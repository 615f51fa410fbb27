/** A scripted world whose changes can be followed. For tests only; not published. */
import assert from 'node:assert/strict'
import { connect } from './connect.ts'
import { isWorldError } from './error.ts'
import { type Answer, DOCUMENT, SECRET, scriptedFetch } from './scripted-fetch.fixture.ts'

/** Discovery document of a world that publishes its changes. */
export const FOLLOWED = { ...DOCUMENT, extensions: { 'worldwright:changes': { path: 'changes' } } }
/** The same document for a world without event streams. */
export const PAGES_ONLY = {
  ...DOCUMENT,
  extensions: { 'worldwright:changes': { path: 'changes', formats: ['application/json'] } },
}
/** URL of change pages and streams. */
export const LOG = 'https://data.sol.example/w/v3/changes'

/** Returns a change that puts a moon. */
export function put(number: number, id = `moon-${number}`) {
  const entity = { type: 'sol:moon', id, revision: `r${number}`, attributes: {} }
  return {
    op: 'put',
    type: 'sol:moon',
    id,
    revision: `r${number}`,
    position: `e-${number}`,
    next: `t${number}`,
    entity,
  }
}

/** Returns a change that deletes a moon. */
export function gone(number: number, id: string) {
  return { op: 'delete', type: 'sol:moon', id, position: `e-${number}`, next: `t${number}` }
}

/** Returns the last change page of a log. */
export function page(next: string, ...changes: object[]) {
  return { changes, next, more: false, position: 'e-9', earliest: 'e-0' }
}

/** Returns an event stream of these changes, followed by an incomplete event. */
export function stream(...changes: { next: string }[]): Response {
  const events = changes.map(
    (change) => `id: ${change.next}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`,
  )
  const text = `: hello\n\n${events.join('')}event: change\ndata: {"op":`
  return new Response(text, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

/** Connects to a world that sends these responses after its discovery document. */
export async function following(...answers: Answer[]) {
  const { fetch, sent, urls } = scriptedFetch(FOLLOWED, ...answers)
  return { world: await connect('https://sol.example', { fetch, ...SECRET, retries: 0 }), sent, urls }
}

/** Returns the first `count` values of an iteration, or all if there are fewer. */
export async function taken<T>(loop: AsyncIterable<T>, count: number): Promise<T[]> {
  const found: T[] = []
  for await (const one of loop) if (found.push(one) === count) break
  return found
}

/** Returns a validator for errors with this code and these details. */
export function hasCode(code: string, details = {}) {
  return (error: unknown) => {
    assert.ok(isWorldError(error))
    assert.deepEqual([error.code, error.details], [code, details])
    return true
  }
}
