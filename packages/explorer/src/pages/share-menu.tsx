/** Menu with which a list is shared: its link, its loaded rows, its chart, and code that reads the same. */
import type { Field } from '@worldwright/extensions/shown'
import { NOTHING_ASKED } from '@worldwright/extensions/views'
import { useState } from 'preact/hooks'
import { chartShown, pngOf, svgText } from '../copy/picture.ts'
import { duckdbText, pythonText, snippetsFor } from '../copy/snippets.ts'
import { markdownFrom, tsvFrom } from '../copy/table.ts'
import type { RouteTo } from '../navigation/route.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { icon } from '../parts/icons.tsx'
import { Menu } from '../parts/menu.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { allAskablesOf, answersQuestions, QUERY } from '../question/askable.ts'
import { questionOf } from '../question/question.ts'
import { pathOf } from '../question/view-title.ts'
import { counted, words } from '../words/words.ts'
import { csvUrl } from '../world/downloads.ts'
import { tokenFor } from '../world/tokens.ts'
import { typeIn, type WorldProfile } from '../world/world-profile.ts'
import { isDrawn } from './use-list-shape.ts'
import type { Walk } from './use-walk.ts'

/** Props of the menu: the list, its loaded rows, and the columns of its table. */
export interface ShareProps {
  readonly route: RouteTo<'list'>
  readonly walk: Walk
  readonly columns: readonly Field[]
}

const ShareIcon = icon(
  <path d="m8 11 8-4m-8 6 8 4M18 4a2 2 0 1 0 .1 0M18 16a2 2 0 1 0 .1 0M6 10a2 2 0 1 0 .1 0" />,
)

/** Name of a form, and what makes it. */
type Form = readonly [string, () => string | Promise<Blob>]

/** Menu button that copies a list in several forms. The forms are made when they are copied. */
export function ShareMenu({ route, walk, columns }: ShareProps) {
  const [isOpen, setOpen] = useState(false)
  const { list } = words.value
  return (
    <Menu class="share" icon={ShareIcon} label={list.share} onToggle={setOpen}>
      {isOpen && <Forms {...{ route, walk, columns }} />}
    </Menu>
  )
}

function Forms({ route, walk, columns }: ShareProps) {
  const { profile } = useOpenWorld()
  const { list } = words.value
  const { entities, total } = walk.walked
  const table = { title: list.title, fields: columns }
  const loaded = counted(entities.length)
  const chart = route.view !== undefined && isDrawn(route.view) ? chartShown() : undefined
  const drawn: Form[] = chart
    ? [
        ['SVG', () => svgText(chart)],
        ['PNG', () => pngOf(chart)],
      ]
    : []
  const forms: Form[] = [
    [list.link, () => linkOf(route, profile)],
    ['TSV', () => tsvFrom(entities, table)],
    ['Markdown', () => markdownFrom(entities, table)],
    ...drawn,
    ...useCode(route, profile),
  ]
  return (
    <>
      <p class="soft">
        TSV, Markdown: {total === undefined ? list.loadedOnly(loaded) : list.loaded(loaded, counted(total))}
      </p>
      <ul>
        {forms.map(([name, text]) => (
          <li key={name}>
            <bdi>{name}</bdi> <CopyButton text={text} what={name} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Returns the address of a list: that of its view in a world that serves views, or else that of this page. */
function linkOf(route: RouteTo<'list'>, { origin, hasViews }: WorldProfile): string {
  return hasViews ? origin + pathOf(route) : location.href
}

/** Returns the programs that ask for a list, by language; none until its question is known, or if the world answers none. */
function useCode({ type, asked }: RouteTo<'list'>, profile: WorldProfile): Form[] {
  // The list says why a condition in CQL2-Text is invalid.
  const { value: input } = useRemote(
    answersQuestions(profile) ? JSON.stringify([type, asked]) : undefined,
    () => questionOf(type, asked ?? NOTHING_ASKED, allAskablesOf(profile, typeIn(profile, type))),
  )
  if (input === undefined) return []
  const { origin, api, needsToken } = profile
  const address = { origin, api, isPrivate: needsToken || tokenFor(origin) !== undefined }
  const read = { kind: 'action', name: QUERY, input } as const
  const csv = csvUrl(profile, input)
  const duckdb: Form[] = csv === undefined ? [] : [['DuckDB', () => duckdbText(csv)]]
  return [
    ['curl', () => snippetsFor(read, address).curl],
    ['TypeScript', () => snippetsFor(read, address).client],
    ['Python', () => pythonText(QUERY, input, address)],
    ...duckdb,
  ]
}
