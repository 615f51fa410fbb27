/** Button of a list for those who may write: a form for a new entity. */
import { useState } from 'preact/hooks'
import { navigate } from '../navigation/navigation.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { draftOf } from './drafts.ts'
import { editWords } from './edit-words.ts'
import { Editor } from './editor.tsx'
import { LastChange } from './last-change.tsx'
import { useAccess, useReturn } from './use-access.ts'

/** Type for whose list there are tools. */
export interface ListEditingProps {
  readonly type: string
}

/** Button and form for a new entity of a type, whose page opens once it is created. */
export function ListEditing({ type }: ListEditingProps) {
  const { world } = useOpenWorld()
  const { origin } = world
  const { mayWrite, schema } = useAccess(type)
  const [isOpen, setOpen] = useState(draftOf(JSON.stringify([origin, type, ''])) !== undefined)
  const button = useReturn(isOpen)
  const w = editWords()

  return (
    <div class="edit-tools">
      <LastChange type={type} onUndone={(id) => navigate({ page: 'entity', origin, type, id })} />
      {isOpen && (
        <Editor
          edited={{ type, id: '', schema, base: undefined }}
          heading={w.create}
          onDone={(done) => {
            setOpen(false)
            if (done !== undefined) navigate({ page: 'entity', origin, type, id: done.entity.id })
          }}
        />
      )}
      {!isOpen && mayWrite && (
        <button ref={button} type="button" class="button" onClick={() => setOpen(true)}>
          {w.create}
        </button>
      )}
    </div>
  )
}
