/** What is asked, in words, each with a way to take it back. */
import { CrossIcon } from '../parts/icons.tsx'
import { placeText } from '../parts/place-text.ts'
import { ShortText } from '../parts/text.tsx'
import { type Askable, fieldAt } from '../question/askable.ts'
import { type Asked, type Box, type Filter, NOTHING_ASKED, withFilter } from '../question/filters.ts'
import { words } from '../words/words.ts'
import { ValueName } from './value-filter.tsx'
import { rangeText } from './value-text.ts'

/** A chip for each filter; nothing where nothing is filtered. */
export function FilterChips(props: {
  asked: Asked
  askables: readonly Askable[]
  onAsked: (asked: Asked) => void
}) {
  const { asked, askables, onAsked } = props
  const { ask } = words.value
  const { text, filters, cql, near } = asked
  const number = filters.length + [text !== '', cql !== '', near !== undefined].filter(Boolean).length
  if (number === 0) return null
  return (
    <ul class="chips" aria-label={ask.filters} data-asks="">
      {text !== '' && (
        <li>
          <Chip onRemove={() => onAsked({ ...asked, text: '' })}>
            <ShortText text={ask.words(text)} most={80} />
          </Chip>
        </li>
      )}
      {filters.map((filter) => (
        <li key={filter.key}>
          <Chip onRemove={() => onAsked({ ...asked, filters: withFilter(filters, filter.key, undefined) })}>
            <FilterText filter={filter} askable={askableAt(filter.key, askables)} />
          </Chip>
        </li>
      ))}
      {cql !== '' && (
        <li>
          <Chip onRemove={() => onAsked({ ...asked, cql: '' })}>
            <span class="code">
              <ShortText text={cql} most={80} />
            </span>
          </Chip>
        </li>
      )}
      {near !== undefined && (
        <li>
          <Chip onRemove={() => onAsked({ ...asked, near: undefined })}>
            {ask.nearestTo(placeText(near.place))}
          </Chip>
        </li>
      )}
      {number > 1 && (
        <li>
          <button type="button" class="link" onClick={() => onAsked({ ...NOTHING_ASKED, sort: asked.sort })}>
            {ask.clear}
          </button>
        </li>
      )}
    </ul>
  )
}

function Chip({ onRemove, children }: { onRemove: () => void; children: preact.ComponentChildren }) {
  return (
    <button type="button" class="chip removable" onClick={onRemove}>
      <span class="hidden">{words.value.ask.remove}: </span>
      <span>{children}</span>
      <CrossIcon />
    </button>
  )
}

function FilterText({ filter, askable }: { filter: Filter; askable: Askable }) {
  return (
    <>
      {/* A place has many names, from coordinates in two attributes on. */}
      <ShortText text={filter.is === 'box' ? words.value.entity.map : askable.field.label} most={40} />{' '}
      {filter.is === 'range' && rangeText(filter, askable)}
      {filter.is === 'box' && boxText(filter.box)}
      {filter.is === 'any' && (
        <>
          {'= '}
          {filter.values.map((value, index) => (
            <span key={value}>
              {index > 0 && ` ${words.value.ask.or} `}
              <ValueName value={value} askable={askable} />
            </span>
          ))}
        </>
      )}
    </>
  )
}

/** The corners of a box: the south-western one first. */
function boxText([west, south, east, north]: Box): string {
  const corner = (latitude: number, longitude: number) => placeText({ latitude, longitude })
  return `${corner(south, west)} – ${corner(north, east)}`
}

/** Also for a property that cannot be asked: the address may name anything. */
function askableAt(key: string, askables: readonly Askable[]): Askable {
  return (
    askables.find((askable) => askable.key === key) ?? {
      key,
      kind: 'text',
      isDate: false,
      field: fieldAt(key, undefined),
    }
  )
}
