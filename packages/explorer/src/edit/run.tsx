/** Run of many writes, one after another, and its exact result. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Safe, ShortText } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { count, words } from '../words/words.ts'
import { editWords } from './edit-words.ts'
import { type Outcome, type Step, takeStep } from './take-step.ts'

/** Outcomes of the writes so far, of `total`. */
interface Run {
  readonly outcomes: readonly Outcome[]
  readonly total: number
}

/** Returns the state of a run to entities of a type, undefined before it starts, and what starts and forgets it. */
export function useRun(type: string) {
  const { world } = useOpenWorld()
  const [run, setRun] = useState<Run>()
  async function start<Each>(all: readonly Each[], take: (one: Each) => Promise<Outcome>) {
    const outcomes: Outcome[] = []
    for (const one of all) {
      setRun({ outcomes, total: all.length })
      outcomes.push(await take(one))
      if (outcomes.at(-1)?.isLast) break
    }
    setRun({ outcomes, total: all.length })
  }
  const takeSteps = (steps: readonly Step[]) => start(steps, (step) => takeStep(world, type, step))
  return { run, start, takeSteps, forget: () => setRun(undefined) }
}

/** Progress of the steps, and then their exact result, with a button that undoes them. `onEnd` is called after each run. */
export function Result(
  props: Run & { onUndo: (steps: readonly Step[]) => Promise<void>; onEnd: () => void; onDone: () => void },
) {
  const { outcomes, total, onUndo, onEnd, onDone } = props
  const isBusy = outcomes.length < total && outcomes.at(-1)?.isLast !== true
  const w = editWords()
  const result = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (isBusy) return
    result.current?.focus()
    onEnd()
  }, [isBusy])
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
