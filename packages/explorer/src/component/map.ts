/** Draws a map of entities around their locations. */
import type { Entity } from '@worldwright/client/protocol'
import { LAND } from '@worldwright/extensions/land'
import { boxOf, frameAround } from '../charts/map-frame.ts'
import { byBody } from '../data/by-body.ts'
import { nameOf } from '../data/entity-name.ts'
import { element, type Part, said } from './element.ts'
import { countText, textOf } from './values.ts'

/** Radius of a dot, as a part of the width of the map. */
const DOT = 1 / 120

/**
 * Returns the entities on the body `asked`, or else on the one with most of them, and their map, with a sentence about what is
 * not on it. Only the Earth has an outline.
 */
export function mapOf(entities: readonly Entity[], schema: unknown, asked: string | undefined) {
  const bodies = [...byBody(entities, schema)].sort(([, one], [, other]) => other.length - one.length)
  const [body, placed] = bodies.find(([name]) => name === asked) ?? bodies[0] ?? ['', []]
  const name = body === '' ? 'Earth' : textOf(body)
  const located = bodies.reduce((sum, [, all]) => sum + all.length, 0)
  const notes = [
    `${countText(placed.length)} on the map of ${name}`,
    ...(located > placed.length ? [`${countText(located - placed.length)} on other bodies`] : []),
    ...(entities.length > located ? [`${countText(entities.length - located)} without a location`] : []),
    ...(body === '' ? [] : ['it has no outlines']),
  ]
  const [west, south, east, north] = boxOf(frameAround(placed.map(({ place }) => place)))
  const viewBox = `${west} ${-north} ${east - west} ${north - south}`
  const dots = placed.map(({ entity, place: { longitude, latitude } }) => {
    const title = element('title', {}, textOf(nameOf(entity)))
    return element('circle', { cx: longitude, cy: -latitude, r: (east - west) * DOT }, title)
  })
  // The outline is in half degrees.
  const land = body === '' && element('path', { d: LAND, transform: 'scale(.5)' })
  const map = element('svg', { viewBox, role: 'img', 'aria-label': `Map of ${name}` }, land, ...dots)
  const parts: Part[] = [placed.length > 0 && map, said(`${notes.join(', ')}.`)]
  return { parts, placed: placed.map(({ entity }) => entity) }
}
