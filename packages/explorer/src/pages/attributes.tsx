/** Attributes of an entity, laid out according to the schema of its type. */
import type { JsonValue } from '@worldwright/client'
import { type Field, kindOf } from '@worldwright/extensions/shown'
import { useState } from 'preact/hooks'
import { groupsOf } from '../data/groups.ts'
import { MoreItems } from '../parts/more-items.tsx'
import { ShortText, Text } from '../parts/text.tsx'
import { Value } from '../parts/value.tsx'
import { words } from '../words/words.ts'

/** Maximum number of attributes shown initially. */
const MOST = 80

type Known = readonly [Field, JsonValue]

/** Labels and values of fields, grouped by meaning. A check box shows the descriptions in the schema. */
export function Attributes({ fields }: { fields: readonly Known[] }) {
  const [isExplained, setExplained] = useState(false)
  const [most, setMost] = useState(MOST)
  const { entity } = words.value
  const hasDescriptions = fields.some(([field]) => field.description !== undefined)
  const groups = groupsOf(fields.slice(0, most))
  const labels = fields.map(([{ label }]) => label)
  const isShared = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label)
  return (
    <section aria-labelledby="attributes">
      <div class="row between">
        <h2 id="attributes">{entity.attributes}</h2>
        {hasDescriptions && (
          <label class="check">
            <input type="checkbox" checked={isExplained} onChange={() => setExplained(!isExplained)} />
            {entity.explain}
          </label>
        )}
      </div>
      {fields.length === 0 && <p class="soft">{entity.none}</p>}
      {groups.map(({ meaning, fields }) => (
        <div key={meaning} class="attribute-group">
          {groups.length > 1 && <h3>{entity.meanings[meaning]}</h3>}
          <dl class="attributes">
            {fields.map(([field, value]) => (
              <Attribute
                key={field.name}
                {...{ field, value, isExplained }}
                isShared={isShared(field.label)}
              />
            ))}
          </dl>
        </div>
      ))}
      <MoreItems left={fields.length - most} onMore={() => setMost(most + 400)} />
    </section>
  )
}

function Attribute(props: {
  field: Field
  value: JsonValue
  isExplained: boolean
  /** True if other fields have the same label, so that only the name tells them apart. */
  isShared: boolean
}) {
  const { field, value, isExplained, isShared } = props
  return (
    <div class={isLong(value) ? 'long' : undefined}>
      <dt>
        <ShortText text={field.label} most={120} />
        {isShared && (
          <span class="code">
            {' '}
            <ShortText text={field.name} most={120} />
          </span>
        )}
        {isExplained && field.description !== undefined && (
          <span class="explained">
            <Text text={field.description} most={300} />
          </span>
        )}
      </dt>
      <dd>
        <Value value={value} field={field} />
      </dd>
    </div>
  )
}

/** Maximum length of a string that does not take the full width, in characters. */
const LONG_TEXT = 60

function isLong(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length > LONG_TEXT
  if (Array.isArray(value))
    return (
      value.length > 2 || value.some((item) => typeof item === 'object' && kindOf(item).kind === 'object')
    )
  return kindOf(value).kind === 'object'
}
