/** Buttons of an entity's page for those who may write: edit, delete, and undo. */
import { type Entity, isWorldError } from '@worldwright/client'
import { useMemo, useState } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { navigate } from '../navigation/navigation.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureView } from '../parts/failure-view.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { words } from '../words/words.ts'
import { type Failure, failureFrom } from '../world/failure.ts'
import { Buttons } from './buttons.tsx'
import { type Version, versionOf } from './content.ts'
import { draftOf } from './drafts.ts'
import { editWords } from './edit-words.ts'
import { Editor } from './editor.tsx'
import { LastChange } from './last-change.tsx'
import { useAccess, useReturn } from './use-access.ts'
import { change, noteRefusal } from './writes.ts'

/** Entity for which there are tools: as shown, and as received. `onWritten` is called after it has changed. */
export interface EntityEditingProps {
  readonly entity: Entity
  readonly received: Entity
  readonly onWritten: () => void
}

/** Buttons and form for one entity, and its last change. */
export function EntityEditing({ entity, received, onWritten }: EntityEditingProps) {
  const { type, id } = entity
  const { world } = useOpenWorld()
  const { mayWrite, schema, isRefused } = useAccess(type)
  const base = useMemo(() => versionOf(received), [received])
  const [isEditing, setEditing] = useState(draftOf(JSON.stringify([world.origin, type, id])) !== undefined)
  const [isAsking, setAsking] = useState(false)
  const button = useReturn(isEditing)
  const w = editWords()

  return (
    <div class="edit-tools">
      {isRefused && (
        <span class="wrong" role="status">
          {w.token}
        </span>
      )}
      <LastChange type={type} id={id} onUndone={onWritten} />
      {isEditing && base !== undefined && (
        <Editor
          edited={{ type, id, schema, base }}
          heading={w.edit}
          onDone={(done) => {
            setEditing(false)
            if (done !== undefined) onWritten()
          }}
        />
      )}
      {!isEditing && mayWrite && base !== undefined && (
        <div class="row">
          <button ref={button} type="button" class="button" onClick={() => setEditing(true)}>
            {w.edit}
          </button>
          <button type="button" class="button" onClick={() => setAsking(true)}>
            {w.delete}
          </button>
        </div>
      )}
      {base !== undefined && (
        <Dialog title={w.confirm(nameOf(entity))} isOpen={isAsking} onClose={() => setAsking(false)}>
          <Deleting {...{ entity, base }} onClose={() => setAsking(false)} onRead={onWritten} />
        </Dialog>
      )}
    </div>
  )
}

/** Content of the dialog that asks before an entity is deleted. `onRead` reads it again after somebody else has changed it. */
function Deleting(props: { entity: Entity; base: Version; onClose: () => void; onRead: () => void }) {
  const { entity, base, onClose, onRead } = props
  const { world } = useOpenWorld()
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const w = editWords()
  const isChanged = failure?.status === 412

  async function remove() {
    setBusy(true)
    try {
      await change(world, entity, base, undefined)
      navigate({ page: 'list', origin: world.origin, type: entity.type })
    } catch (error) {
      if (isWorldError(error) && error.status === 403) noteRefusal(world, entity.type)
      setFailure(failureFrom(error))
      setBusy(false)
    }
  }

  return (
    <>
      {isChanged && (
        <p class="note" role="alert">
          {w.changed}
        </p>
      )}
      {failure !== undefined && !isChanged && (
        <FailureView failure={failure} origin={world.origin} onRetry={() => void remove()} level="part" />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isChanged) onRead()
          else void remove()
        }}
      >
        <Buttons label={isChanged ? words.value.app.retry : w.delete} isBusy={isBusy} onCancel={onClose} />
      </form>
    </>
  )
}
