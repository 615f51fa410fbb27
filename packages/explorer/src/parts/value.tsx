/** View of a single value in a world's data, by the kind of the value. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import {
  type Field,
  fieldOf,
  gapBefore,
  type Kind,
  kindOf,
  member,
  resolved,
} from '@worldwright/extensions/shown'
import { useState } from 'preact/hooks'
import { addressOf, pictureFrom, safeHref } from '../text/links.ts'
import { digits, timeWords, unitText, words } from '../words/words.ts'
import { allowedHosts } from '../world/picture-hosts.ts'
import { FactList } from './fact-list.tsx'
import { Out } from './link.tsx'
import { fetched } from './loaded.tsx'
import { MoreItems } from './more-items.tsx'
import { Photo } from './photo.tsx'
import { placeText } from './place-text.ts'
import { Reference } from './reference.tsx'
import { Safe, Text } from './text.tsx'
import { useOpenWorld } from './world-context.ts'

/** Maximum number of list items shown initially. */
const MOST_ITEMS = 24
/** Maximum nesting depth of objects that are laid out. Deeper objects are shown only as JSON. */
const MOST_LEVELS = 4

/** Kinds of values that start on a new line. */
const NESTED: ReadonlySet<Kind['kind']> = new Set(['list', 'object'])

/** Value of a field, formatted according to the schema of the field. */
export function Value({ value, field, level = 0 }: { value: JsonValue; field: Field; level?: number }) {
  const known = kindOf(value, field.idsOf)
  switch (known.kind) {
    case 'nothing':
      return <span class="soft">–</span>
    case 'truth':
      return <>{known.value ? words.value.app.yes : words.value.app.no}</>
    case 'number':
      return <NumberValue value={known.value} field={field} />
    case 'text':
      return <TextValue text={known.value} field={field} />
    case 'reference':
      return <Reference to={known.value} />
    case 'place':
      return <span class="number">{placeText(known.value)}</span>
    case 'list':
      return <ListValue items={known.value} field={field} level={level} />
    case 'object':
      return <ObjectValue value={known.value} field={field} level={level} />
  }
}

function NumberValue({ value, field }: { value: number; field: Field }) {
  const text = digits(value, field.isGrouped)
  const { unit } = field
  return (
    <span class="number">
      {text}
      {unit !== undefined && (
        <>
          {gapBefore(unit)}
          <span class="unit">
            <Safe text={unitText(unit)} />
          </span>
        </>
      )}
    </span>
  )
}

/** Markdown as formatted text, or unformatted if the reader cannot be loaded. */
export const Prose = fetched(async () => (await import('./prose.tsx')).Prose, Text)

function TextValue({ text, field }: { text: string; field: Field }) {
  const { profile } = useOpenWorld()
  if (field.format === 'markdown') return <Prose text={text} />
  const picture = pictureFrom(text, profile.origins, field.format === 'picture')
  // A text that is no declared picture is a link until its host is allowed.
  const isKnown = field.format === 'picture' || picture?.isOwn || allowedHosts.value.has(picture?.host ?? '')
  if (picture !== undefined && isKnown) return <Photo picture={picture} label={field.label} />
  const address = addressOf(text, profile.origins, profile.hasViews)
  const href = safeHref(field.format === 'email' ? `mailto:${text}` : address)
  if (href !== undefined) return <Out href={href} text={text} />
  const time = timeWords(text)
  if (time !== undefined) return <time dateTime={text}>{time}</time>
  return (
    <span class={field.format === 'code' ? 'code' : 'words'}>
      <Text text={text} />
    </span>
  )
}

function ListValue({ items, field, level }: { items: readonly JsonValue[]; field: Field; level: number }) {
  const [most, setMost] = useState(MOST_ITEMS)
  const inner: Field = { ...field, schema: resolved(field.schema['items'], field.schema) }
  // Nested lists could not be told apart on one line.
  const isPlain = items.every((item) => !NESTED.has(kindOf(item).kind))
  if (!isPlain && level >= MOST_LEVELS) return <span class="soft">{words.value.entity.tooDeep}</span>
  const shown = items.slice(0, most)
  return (
    <>
      <ul class={isPlain ? 'inline-list' : 'block-list'}>
        {shown.map((item, index) => (
          <li key={index}>
            <Value value={item} field={inner} level={level + 1} />
          </li>
        ))}
      </ul>
      <MoreItems left={items.length - most} onMore={() => setMost(most + 200)} />
    </>
  )
}

function ObjectValue({ value, field, level }: { value: JsonObject; field: Field; level: number }) {
  const names = Object.keys(value)
  if (names.length === 0) return <span class="soft">–</span>
  if (level >= MOST_LEVELS) return <span class="soft">{words.value.entity.tooDeep}</span>
  const properties = member(field.schema, 'properties')
  const facts = names.slice(0, MOST_ITEMS).map((name) => {
    const own = fieldOf(name, member(properties, name), field.schema, value[name])
    const inner = <Value value={value[name] ?? null} field={own} level={level + 1} />
    return [<Text text={own.label} most={120} />, inner] as const
  })
  return (
    <FactList class="inner" facts={facts}>
      {names.length > MOST_ITEMS && <div class="soft">{words.value.entity.tooDeep}</div>}
    </FactList>
  )
}
