/** Choice between two changes of the same entity: for each value that both changed, yours, theirs, or the one before. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { valueAt } from '@worldwright/extensions/shown/schema'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FormField } from '../form/form-field.ts'
import { valuesFrom, withMember } from '../form/form-fields.ts'
import { Safe, ShortText } from '../parts/text.tsx'
import { words } from '../words/words.ts'
import { fieldsFor, isSame, type Version } from './content.ts'
import { editWords } from './edit-words.ts'

const SIDES = ['mine', 'theirs', 'before'] as const
type Side = (typeof SIDES)[number]

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
  const { ours, both, others } = differences(schema, base.content, mine, theirs?.content ?? base.content)
  const isChosen = both.every(({ key }) => chosen[key] !== undefined)

  useEffect(() => heading.current?.focus(), [conflict])

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (theirs === undefined) return onSave(undefined, mine)
    const contents = { mine, before: base.content, theirs: theirs.content }
    let content = theirs.content
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
      {theirs !== undefined &&
        both.map((field) => (
          <Sides
            key={field.key}
            field={field}
            values={{ mine, theirs: theirs.content, before: base.content }}
            chosen={chosen[field.key]}
            onChoose={(side) => setChosen({ ...chosen, [field.key]: side })}
          />
        ))}
      {others.length > 0 && (
        <p class="soft">
          {w.kept} <Safe text={others.map(({ label }) => label).join(', ')} />
        </p>
      )}
      <div class="row">
        <button type="submit" class="button primary" disabled={isBusy || (theirs !== undefined && !isChosen)}>
          {theirs === undefined ? w.again : w.save}
        </button>
        <button type="button" class="button" onClick={onBack}>
          {words.value.app.cancel}
        </button>
        <button type="button" class="button" onClick={onDiscard}>
          {w.discard}
        </button>
      </div>
    </form>
  )
}

/** Choice for one field. None is made in advance, so that nobody's value is overwritten unseen. */
function Sides(props: {
  field: FormField
  values: Readonly<Record<Side, JsonObject>>
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
function differences(schema: unknown, before: JsonObject, mine: JsonObject, theirs: JsonObject) {
  const at = (content: JsonObject, { path }: FormField): JsonValue | undefined => valueAt(content, path)
  const known = new Map<string, FormField>()
  for (const content of [theirs, mine, before])
    for (const field of fieldsFor(schema, content, false)) known.set(field.key, field)
  // A member that one of the contents shows as a whole and another one by its parts is chosen as a whole.
  const fields = [...known.values()].filter(({ key }) => !parents(key).some((parent) => known.has(parent)))
  const isMine = (field: FormField) => !isSame(at(mine, field), at(before, field))
  const isTheirs = (field: FormField) => !isSame(at(theirs, field), at(before, field))
  return {
    ours: fields.filter((field) => isMine(field) && !isTheirs(field)),
    both: fields.filter(
      (field) => isMine(field) && isTheirs(field) && !isSame(at(mine, field), at(theirs, field)),
    ),
    others: fields.filter((field) => isTheirs(field) && !isMine(field)),
  }
}

function parents(key: string): string[] {
  return [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index))
}
