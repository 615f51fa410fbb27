/** Message about the last change, with a button that undoes it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { navigate } from '../navigation/navigation.ts'
import { FailureView } from '../parts/failure-view.tsx'
import { Safe } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { type Failure, failureFrom } from '../world/failure.ts'
import { editWords } from './edit-words.ts'
import { type Change, lastChange, undo } from './writes.ts'

/** Change that has been announced, so that its message takes the focus only once. */
let announced: Change | undefined

/** Message about the last change if it is about a type, or about one entity of it. `onUndone` gets the id after an undo. */
export function LastChange(props: { type: string; id?: string; onUndone: (id: string) => void }) {
  const { type, id, onUndone } = props
  const { world } = useOpenWorld()
  const [failure, setFailure] = useState<Failure>()
  const message = useRef<HTMLParagraphElement>(null)
  const last = lastChange.value
  const isGone = last?.after === undefined
  const isHere =
    last?.origin === world.origin &&
    last.entity.type === type &&
    (id === undefined ? isGone : last.entity.id === id && !isGone)

  useEffect(() => {
    setFailure(undefined)
    // The page that is read again after a change has lost the focus.
    if (!isHere || (announced === last && document.activeElement !== document.body)) return
    announced = last
    message.current?.focus()
  }, [last, isHere])

  if (!isHere || last === undefined) return null
  const w = editWords()
  const done = last.isUndone ? w.undone : isGone ? w.deleted : w.edited

  async function undoLast(change: Change) {
    try {
      await undo(world, change)
      if (change.before === undefined) navigate({ page: 'list', origin: world.origin, type })
      else onUndone(change.entity.id)
    } catch (error) {
      setFailure(failureFrom(error))
    }
  }

  const isChanged = failure !== undefined && (failure.status === 412 || failure.cause === 'notFound')
  return (
    <>
      <p ref={message} tabIndex={-1} role="status" class="note">
        <Safe text={done(last.name)} />{' '}
        {last.isUndone !== true && !isChanged && (
          <button type="button" class="link" onClick={() => void undoLast(last)}>
            {w.undo}
          </button>
        )}
        {isChanged && <span role="alert">{w.changed}</span>}
      </p>
      {failure !== undefined && !isChanged && (
        <FailureView failure={failure} onRetry={() => void undoLast(last)} level="part" />
      )}
    </>
  )
}
