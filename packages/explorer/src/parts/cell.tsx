/** Compact view of a value, for table cells and cards. */
import type { JsonValue } from '@worldwright/client'
import { type Field, kindOf } from '@worldwright/extensions/shown'
import { count, counted, digits, timeWords, words } from '../words/words.ts'
import { placeText } from './place-text.ts'
import { Reference } from './reference.tsx'
import { ShortText } from './text.tsx'
import { PictureCell } from './thumb.tsx'

/** Maximum number of list items shown. */
const MOST_ITEMS = 3

/** One-line view of a value, without its unit. A nested value shows only its size. Renders nothing if there is no value. */
export function Cell({ value, field }: { value: JsonValue | undefined; field: Field }) {
  const known = kindOf(value, field.idsOf)
  const { app, list } = words.value
  switch (known.kind) {
    case 'nothing':
      return null
    case 'truth':
      return <>{known.value ? app.yes : app.no}</>
    case 'number':
      return <>{digits(known.value, field.isGrouped)}</>
    case 'text': {
      const text = <ShortText text={timeWords(known.value) ?? known.value} most={100} />
      if (field.format !== 'picture') return text
      return (
        <PictureCell text={known.value} field={field}>
          {text}
        </PictureCell>
      )
    }
    case 'reference':
      return <Reference to={known.value} />
    case 'place':
      return <>{placeText(known.value)}</>
    case 'list':
      return (
        <>
          {known.value.slice(0, MOST_ITEMS).map((item, index) => (
            <span key={index}>
              {index > 0 && ' · '}
              {Array.isArray(item) ? (
                <>({list.items(counted(item.length))})</>
              ) : (
                <Cell value={item} field={field} />
              )}
            </span>
          ))}
          {known.value.length > MOST_ITEMS && (
            <span class="soft"> +{count(known.value.length - MOST_ITEMS)}</span>
          )}
        </>
      )
    case 'object':
      return <span class="soft">{list.items(counted(Object.keys(known.value).length))}</span>
  }
}
