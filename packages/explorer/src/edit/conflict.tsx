/** Choice between two changes of the same entity: for each value that both changed, yours, theirs, or the one before. */
import type { JsonObject } from '@worldwright/client'
import { valueAt } from '@worldwright/extensions/shown'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FormField } from '../form/form-field.ts'
import { valuesFrom, withMember } from '../form/form-fields.ts'
import { Safe, ShortText } from '../parts/text.tsx'
import { words } from '../words/words.ts'
import { Buttons } from './buttons.tsx'
import { fieldsFor, isSame, type Version } from './content.ts'
import { editWords } from './edit-words.ts'

const SIDES = ['mine', 'theirs', 'before'] as const
type Side = (typeof SIDES)[number]
type Contents = Readonly<Record<Side, JsonObject>>

/** Obstacle to a save: the state that somebody else wrote, and what the user wanted. */
export interface Clash {
  /** Present state of the entity, or undefined if it has been deleted. */
  readonly theirs: Version | undefined
  readonly mine: JsonObject
}

/** Shows a conflict. `onSave` gets the state over which to write, and the content that the user has chosen. */
export function Conflict(props: {
  schema: unknown
  base: Version
  conflict: Clash
  isBusy: boolean
  onSave: (from: Version | undefined, to: JsonObject) => void
  onBack: () => void
  onDiscard: () => void
}) {
  const { schema, base, conflict, isBusy, onSave, onBack, onDiscard } = props
  const { theirs, mine } = conflict
  const w = editWords()
  const heading = useRef<HTMLHeadingElement>(null)
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({})
  const before = base.content
  const contents = { mine, theirs: theirs?.content ?? before, before }
  const { ours, both, others } = differences(schema, contents)

  useEffect(() => heading.current?.focus(), [conflict])

  function submit(event: SubmitEvent) {
    event.preventDefault()
    let content = contents.theirs
    for (const { key, path } of [...ours, ...both])
      content = withMember(content, path, valueAt(contents[chosen[key] ?? 'mine'], path))
    onSave(theirs, content)
  }

  return (
    <form class="action-form editor" onSubmit={submit}>
      <h2 ref={heading} tabIndex={-1}>
        {theirs === undefined ? w.gone : w.changed}
      </h2>
      {both.length > 0 && <p>{w.choose}</p>}
      {both.map((field) => (
        <Sides
          key={field.key}
          field={field}
          values={contents}
          chosen={chosen[field.key]}
          onChoose={(side) => setChosen({ ...chosen, [field.key]: side })}
        />
      ))}
      {others.length > 0 && (
        <p class="soft">
          {w.kept} <Safe text={others.map(({ label }) => label).join(', ')} />
        </p>
      )}
      <Buttons
        label={theirs === undefined ? w.again : w.save}
        isBusy={isBusy || both.some(({ key }) => chosen[key] === undefined)}
        onCancel={onBack}
      >
        <button type="button" class="button" onClick={onDiscard}>
          {w.discard}
        </button>
      </Buttons>
    </form>
  )
}

/** Choice for one field. None is made in advance, so that nobody's value is overwritten unseen. */
function Sides(props: {
  field: FormField
  values: Contents
  chosen: Side | undefined
  onChoose: (side: Side) => void
}) {
  const { field, values, chosen, onChoose } = props
  const w = editWords()
  return (
    <fieldset class="sides">
      <legend>
        <Safe text={field.label} />
      </legend>
      {SIDES.map((side) => (
        <label key={side} class="side">
          <input
            type="radio"
            name={`side ${field.key}`}
            checked={chosen === side}
            onChange={() => onChoose(side)}
          />
          <span>
            <strong>{w[side]}:</strong> <ShortText text={textIn(values[side], field)} most={400} />
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function textIn(content: JsonObject, field: FormField): string {
  const text = valuesFrom(content, [field])[field.key] ?? ''
  return text === '' ? words.value.action.notGiven : text
}

/** Fields that differ from the state before: only in ours, in both but not alike, and only in theirs. */
function differences(schema: unknown, { mine, theirs, before }: Contents) {
  const known = new Map<string, FormField>()
  for (const content of [theirs, mine, before])
    for (const field of fieldsFor(schema, content, false)) known.set(field.key, field)
  // A member that one of the contents shows as a whole and another one by its parts is chosen as a whole.
  const fields = [...known.values()].filter(({ key }) => !parents(key).some((parent) => known.has(parent)))
  const differing = (one: JsonObject, other: JsonObject) =>
    new Set(fields.filter(({ path }) => !isSame(valueAt(one, path), valueAt(other, path))))
  const [ours, others] = [differing(mine, before), differing(theirs, before)]
  return {
    ours: [...ours.difference(others)],
    both: [...ours.intersection(others).intersection(differing(mine, theirs))],
    others: [...others.difference(ours)],
  }
}

function parents(key: string): string[] {
  return [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index))
}
