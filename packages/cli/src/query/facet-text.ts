import type { Facet, FacetBucket } from '@worldwright/client'
import { cql2Property } from '@worldwright/client/cql2'
import { count, type Io, jsonText, styled, tableLines, visible } from '@worldwright/serve/terminal'

const BAR_WIDTH = 24

/** Formats one facet as a heading and one line per value, with a bar proportional to its count. */
export function facetLines(facet: Facet, io: Io): string[] {
  const { property, referrers, present, absent, buckets, more, partial } = facet
  const name = referrers ? `What points to ${referrers.type} ${referrers.id}` : cql2Property(property ?? '')
  const all = count(present + absent, 'entity', 'entities')
  const notes = [absent === 0 ? all : `${present.toLocaleString('en')} of ${all}`]
  if (more) notes.push('further values not shown')
  if (partial) notes.push('cut short by the time budget')
  const most = buckets.reduce((greatest, bucket) => Math.max(greatest, bucket.count), 1)
  const rows = buckets.map((bucket) => [
    labelOf(bucket),
    bucket.count.toLocaleString('en'),
    '█'.repeat(Math.ceil((bucket.count / most) * BAR_WIDTH)),
  ])
  const heading = `${styled(io.stdout, 'bold', visible(name))}: ${notes.join(', ')}`
  // Drop the empty heading row of the table.
  return ['', heading, ...(rows.length > 0 ? tableLines(io.stdout, ['', '', ''], rows).slice(1) : [])]
}

function labelOf({ value, from, to, type, property }: FacetBucket): string {
  if (type !== undefined) return `${type} ${cql2Property(property ?? '')}`
  if (value !== undefined)
    return typeof value === 'object' && 'id' in value ? `${value.type} ${value.id}` : String(value)
  if (from === undefined) return to === undefined ? 'all' : `below ${shown(to)}`
  return to === undefined ? `from ${shown(from)}` : `${shown(from)} – ${shown(to)}`
}

/** Formats a histogram edge. Numbers are rounded to four digits, since edges are computed. */
function shown(edge: number | string): string {
  return typeof edge === 'string' ? jsonText(edge).slice(1, -1) : String(Number(edge.toPrecision(4)))
}
