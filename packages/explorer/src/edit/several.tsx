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
import { Safe, ShortText } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { plainText } from '../text/visible.ts'
import { count, words } from '../words/words.ts'
import type { WalkReader, WalkState } from '../world/walk-reader.ts'
import { Buttons } from './buttons.tsx'
import { fieldsFor, isSame, versionOf } from './content.ts'
import { editWords } from './edit-words.ts'
import { rowCheck } from './row-check.ts'
import { type Outcome, type Step, takeStep } from './take-step.ts'

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

/** Outcomes of the steps taken so far, of `total`. */
type Run = { readonly outcomes: readonly Outcome[]; readonly total: number }
type OnSteps = (steps: readonly Step[]) => Promise<void>

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
  const { world } = useOpenWorld()
  const { entities } = walk.walked
  const [run, setRun] = useState<Run>()
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

  async function start(steps: readonly Step[]) {
    const outcomes: Outcome[] = []
    for (const step of steps) {
      setRun({ outcomes, total: steps.length })
      outcomes.push(await takeStep(world, type, step))
      if (outcomes.at(-1)?.isLast) break
    }
    setRun({ outcomes, total: steps.length })
  }

  function leave() {
    box.current?.focus()
    selected.value = new Map()
    setRun(undefined)
    if (run !== undefined) walk.reader.restart()
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
        <Change schema={schema} onSteps={start} onCancel={leave} />
      )}
      {run !== undefined && <Result {...run} onUndo={start} onDone={leave} />}
    </>
  )
}

/** Choice that deletes the entities. No field has this key, as all are within an entity. */
const DELETION = '/'

/** Form that says what to do with the selected entities. Its button says how many of them that changes. */
function Change(props: { schema: unknown; onSteps: OnSteps; onCancel: () => void }) {
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

/** Progress of the steps, and then their exact result, with a button that undoes them. */
function Result(props: Run & { onUndo: OnSteps; onDone: () => void }) {
  const { outcomes, total, onUndo, onDone } = props
  const isBusy = outcomes.length < total && outcomes.at(-1)?.isLast !== true
  const w = editWords()
  const result = useRef<HTMLParagraphElement>(null)
  useEffect(() => result.current?.focus(), [isBusy])
  if (isBusy) return <progress value={outcomes.length} max={total} aria-label={words.value.app.loading} />
  const numbers = new Map<Outcome['fate'] | 'left', number>()
  for (const { fate } of outcomes) numbers.set(fate, (numbers.get(fate) ?? 0) + 1)
  if (outcomes.length < total) numbers.set('left', total - outcomes.length)
  const undos = outcomes.flatMap(({ undo }) => undo ?? [])
  return (
    <div class="action-form editor">
      <p ref={result} tabIndex={-1} role="status" class="note">
        {[...numbers].map(([fate, number]) => `${w[fate]}: ${count(number)}`).join(' · ')}
      </p>
      <ul>
        {outcomes
          .filter(({ fate }) => fate !== 'done' && fate !== 'unchanged')
          .map(({ step, fate, reason = '' }) => (
            <li key={step.id}>
              <Safe text={step.name} /> – {w[fate]}: <ShortText text={reason} />
            </li>
          ))}
      </ul>
      <div class="row">
        <button type="button" class="button primary" onClick={onDone}>
          {words.value.app.close}
        </button>
        {undos.length > 0 && (
          <button type="button" class="button" onClick={() => void onUndo(undos)}>
            {`${w.undo}: ${count(undos.length)}`}
          </button>
        )}
      </div>
    </div>
  )
}
