/** Tools of a list for those who may write: a form for a new entity, and the selection of several. */
import { VIEW_TYPE } from '@worldwright/extensions/views'
import { useState } from 'preact/hooks'
import { navigate } from '../navigation/navigation.ts'
import type { RouteTo } from '../navigation/route.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { pathOf, readViewTitle } from '../question/view-title.ts'
import { draftOf, keepDraft } from './drafts.ts'
import { editWords } from './edit-words.ts'
import { Editor } from './editor.tsx'
import { Importing } from './importing.tsx'
import { LastChange } from './last-change.tsx'
import { type Rows, Several } from './several.tsx'
import { useAccess, useReturn } from './use-access.ts'

/** List for which there are tools, and the loaded part of it. */
export interface ListEditingProps {
  readonly route: RouteTo<'list'>
  readonly walk: Rows
}

/** Tools of a list: the form for a new entity, whose page then opens, the import, the published view, and the selection. */
export function ListEditing({ route, route: { type }, walk }: ListEditingProps) {
  const open = useOpenWorld()
  const { origin } = open.world
  const { mayWrite, schema, isRefused } = useAccess(type)
  const [isOpen, setOpen] = useState(draftOf(JSON.stringify([origin, type, ''])) !== undefined)
  const button = useReturn(isOpen)
  const [isImporting, setImporting] = useState(false)
  const publishes = type !== VIEW_TYPE && open.profile.types.some((one) => one.type === VIEW_TYPE)
  const mayPublish = useAccess(VIEW_TYPE).mayWrite && publishes
  const w = editWords()

  /** Opens the form of a new published view, filled in. Asks before it replaces a draft. */
  async function publish() {
    const key = JSON.stringify([origin, VIEW_TYPE, ''])
    if (draftOf(key) !== undefined && !confirm(w.draft)) return
    const title = await readViewTitle(open, type, route)
    keepDraft(key, { base: undefined, values: { title, 'attributes/path': pathOf(route) } })
    navigate({ page: 'list', origin, type: VIEW_TYPE })
  }

  return (
    <div class="edit-tools">
      {isRefused && (
        <span class="wrong" role="status">
          {w.token}
        </span>
      )}
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
      {!isOpen && mayWrite && !isImporting && (
        <button type="button" class="button" onClick={() => setImporting(true)}>
          {w.import}
        </button>
      )}
      {isImporting && <Importing {...{ type, schema, walk }} onDone={() => setImporting(false)} />}
      {!isOpen && mayPublish && (
        <button type="button" class="button" onClick={publish}>
          {w.publish}
        </button>
      )}
      {mayWrite && <Several {...{ type, schema, walk }} />}
    </div>
  )
}
