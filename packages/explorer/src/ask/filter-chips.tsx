/** The question as chips, one removable chip per condition. */

import { type Asked, type Box, type Filter, NOTHING_ASKED } from '@worldwright/extensions/views'
import { CrossIcon } from '../parts/icons.tsx'
import { placeText } from '../parts/place-text.ts'
import { ShortText } from '../parts/text.tsx'
import { type Askable, fieldAt } from '../question/askable.ts'
import { words } from '../words/words.ts'
import { ValueName } from './value-filter.tsx'
import { rangeText } from './value-text.ts'

/** One removable chip per condition, and one for a distance sort. Renders nothing if there are neither. */
export function FilterChips(props: {
  asked: Asked
  askables: readonly Askable[]
  onAsked: (asked: Asked) => void
}) {
  const { asked, askables, onAsked } = props
  const { ask } = words.value
  const { text, filters, cql, near } = asked
  const chips = [
    text !== '' && (['text', <ShortText text={ask.words(text)} most={80} />, { text: '' }] as const),
    ...filters.map((filter, index) => {
      const shown = <FilterText filter={filter} askable={askableAt(filter.key, askables)} />
      return [`filter ${index}`, shown, { filters: filters.filter((other) => other !== filter) }] as const
    }),
    cql !== '' && (['cql', <ShortText text={worded(cql, askables)} most={80} />, { cql: '' }] as const),
    near !== undefined && (['near', ask.nearestTo(placeText(near.place)), { near: undefined }] as const),
  ].filter((chip) => chip !== false)
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label={ask.filters} data-asks="">
      {chips.map(([key, shown, without]) => (
        <li key={key}>
          <button type="button" class="chip removable" onClick={() => onAsked({ ...asked, ...without })}>
            <span class="hidden">{ask.remove}: </span>
            <span>{shown}</span>
            <CrossIcon />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" class="link" onClick={() => onAsked({ ...NOTHING_ASKED, sort: asked.sort })}>
            {ask.clear}
          </button>
        </li>
      )}
    </ul>
  )
}

function FilterText({ filter, askable }: { filter: Filter; askable: Askable }) {
  const { ask, entity, views } = words.value
  return (
    <>
      {/* A location may span two attributes, one per coordinate, so it has no single label. */}
      <ShortText text={filter.is === 'box' ? entity.meanings.place : askable.field.label} most={40} />{' '}
      {filter.is === 'range' && rangeText(filter, askable)}
      {filter.is === 'box' && boxText(filter.box)}
      {filter.is === 'none' && `= ${views.noValue}`}
      {filter.is === 'any' && (
        <>
          {'= '}
          {filter.values.map((value, index) => (
            <span key={value}>
              {index > 0 && ` ${ask.or} `}
              <ValueName value={value} askable={askable} />
            </span>
          ))}
        </>
      )}
    </>
  )
}

/** Replaces the names of properties in a CQL2 text by their labels, but none in quotation marks. */
function worded(cql: string, askables: readonly Askable[]): string {
  const labels = new Map(askables.map(({ key, field }) => [key, field.label]))
  return cql.replace(/'[^']*'|"[^"]*"|[A-Za-z_][\w.]*/g, (part) => labels.get(part) ?? part)
}

/** Formats the corners of a box, with the south-west corner first. */
function boxText([west, south, east, north]: Box): string {
  const corner = (latitude: number, longitude: number) => placeText({ latitude, longitude })
  return `${corner(south, west)} – ${corner(north, east)}`
}

/** Returns the property with this key, even if it is not queryable, since an address may contain any key. */
function askableAt(key: string, askables: readonly Askable[]): Askable {
  const other: Askable = { key, kind: 'text', isDate: false, field: fieldAt(key, undefined) }
  return askables.find((askable) => askable.key === key) ?? other
}
