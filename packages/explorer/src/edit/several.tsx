/** Selection of entities in a list, to change one value of them all or to delete them. */
import { signal } from '@preact/signals'
import type { Entity } from '@worldwright/client'
import { valueAt } from '@worldwright/extensions/shown'
import { useEffect, useRef, useState } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { inputFrom, withMember } from '../form/form-fields.ts'
import { FormRow } from '../form/form-row.tsx'
import { formWords } from '../form/form-words.ts'
import { Select } from '../parts/select.tsx'
import { plainText } from '../text/visible.ts'
import { count } from '../words/words.ts'
import type { WalkReader, WalkState } from '../world/walk-reader.ts'
import { Buttons } from './buttons.tsx'
import { fieldsFor, isSame, versionOf } from './content.ts'
import { editWords } from './edit-words.ts'
import { rowCheck } from './row-check.ts'
import { Result, useRun } from './run.tsx'
import type { Step } from './take-step.ts'

/** Loaded part of a list, whose `entry` changes with the list. */
export interface Rows extends WalkState {
  readonly entry: string
  readonly reader: WalkReader
}

/** Selected entities by id, each with the state in which its row was read. */
const selected = signal<ReadonlyMap<string, Step>>(new Map())

/** Selects entities, or takes them out. Those without a revision stay out, as no write to them is safe. */
function choose(entities: readonly Entity[], isIn: boolean): void {
  const next = new Map(selected.value)
  for (const entity of entities) {
    const from = isIn ? versionOf(entity) : undefined
    if (from === undefined) next.delete(entity.id)
    else next.set(entity.id, { id: entity.id, name: nameOf(entity), from, to: undefined })
  }
  selected.value = next
}

function RowCheck({ entity }: { entity: Entity }) {
  return (
    <input
      type="checkbox"
      class="row-check"
      aria-label={`${editWords().select}: ${plainText(nameOf(entity)).slice(0, 120)}`}
      checked={selected.value.has(entity.id)}
      onChange={({ currentTarget }) => choose([entity], currentTarget.checked)}
    />
  )
}

/** Check box for all entities that `walk` has loaded of a type, and the panel for those that are selected. */
export function Several({ type, schema, walk }: { type: string; schema: unknown; walk: Rows }) {
  const { entities } = walk.walked
  const { run, takeSteps, forget } = useRun(type)
  const box = useRef<HTMLInputElement>(null)
  const w = editWords()
  useEffect(() => {
    rowCheck.value = RowCheck
    return () => {
      rowCheck.value = undefined
      selected.value = new Map()
    }
    // Nothing stays selected that another list would not show.
  }, [walk.entry])

  function leave() {
    box.current?.focus()
    selected.value = new Map()
    forget()
  }

  const all = entities.length > 0 && entities.every(({ id }) => selected.value.has(id))
  return (
    <>
      <div class="row">
        <label class="check">
          <input ref={box} type="checkbox" checked={all} onChange={() => choose(entities, !all)} />
          {w.all}
        </label>
        <span role="status">{selected.value.size > 0 && `${w.selected}: ${count(selected.value.size)}`}</span>
      </div>
      {run === undefined && selected.value.size > 0 && (
        <Change schema={schema} onSteps={takeSteps} onCancel={leave} />
      )}
      {run !== undefined && (
        <Result {...run} onUndo={takeSteps} onEnd={() => walk.reader.restart()} onDone={leave} />
      )}
    </>
  )
}

/** Choice that deletes the entities. No field has this key, as all are within an entity. */
const DELETION = '/'

/** Form that says what to do with the selected entities. Its button says how many of them that changes. */
function Change(props: {
  schema: unknown
  onSteps: (steps: readonly Step[]) => Promise<void>
  onCancel: () => void
}) {
  const { schema, onSteps, onCancel } = props
  const [{ key, text }, set] = useState({ key: '', text: '' })
  const w = editWords()
  const fields = fieldsFor(schema, { attributes: {} }, false).filter((one) => one.key !== 'attributes')
  const field = fields.find((one) => one.key === key)
  const { input, faults } = inputFrom({ [key]: text }, field ? [field] : [])
  const fault = faults[key]
  const steps = [...selected.value.values()].map((one) => ({
    ...one,
    to: field && one.from && withMember(one.from.content, field.path, valueAt(input, field.path)),
  }))
  const isReady = field ? fault === undefined : key === DELETION
  const changing = isReady ? steps.filter(({ from, to }) => !isSame(from?.content, to)).length : 0
  const action = key === DELETION ? w.delete : field && text.trim() === '' ? w.remove : w.set
  const label = `${action}: ${count(changing)}`
  return (
    <form
      class="action-form editor"
      // The browser refuses a date that is typed in part, whose text is empty.
      onSubmit={(event) => {
        event.preventDefault()
        void onSteps(steps)
      }}
    >
      <Select
        label={w.what}
        choices={[['', '–'], ...fields.map((one) => [one.key, one.label] as const), [DELETION, w.delete]]}
        chosen={key}
        onChoose={(next) => set({ key: next, text: '' })}
      />
      {field && (
        <FormRow
          key={key}
          field={field}
          value={text}
          wrong={text !== '' && fault ? formWords().faults[fault] : undefined}
          onValue={(typed) => set({ key, text: typed })}
        />
      )}
      <Buttons label={label} isBusy={changing === 0} onCancel={onCancel} />
    </form>
  )
}
