/** The pages of `world serve --setup`. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import { type Content, type Html, html } from '@worldwright/extensions/pages'
import { member, referenceIn, textMember } from '@worldwright/extensions/shown'
import { KINDS, type ProposedTable, type Scaffold, type TableChoice, type Trial } from '@worldwright/publish'
import { count, createWarningTally, cutTo, rejectionLines } from '@worldwright/serve/terminal'
import { toSetText, trialLine } from './inputs.ts'
import type { Setup } from './setup.ts'

const WORDS: Readonly<Record<string, string>> = { string: 'text', integer: 'whole number', array: 'list' }

type Messages = ReadonlyMap<string, string>

/** Returns the page of what is set up. `messages` has faults by field, and under the empty name those of no field. */
export function setupPage(setup: Setup, mostBytes: number, messages: Messages = new Map()): Html {
  const { shown } = setup
  const message = messages.get('')
  return documentOf(
    'Set up a world',
    html`${message !== undefined && html`<p role="alert" class="wrong">${message}</p>`}<p role="status"></p>
<h2>Data</h2>
<form><label for="files">Files: choose them, or drop them anywhere on this page</label><br><input id="files" type="file" multiple data-most="${mostBytes}">
<p class="soft">They are copied into ${setup.cwd}. At most ${count(mostBytes / 2 ** 20, 'MiB', 'MiB')} each. <noscript>This needs a script. Without scripts, name a path below.</noscript></p></form>
<form method="post" action="/setup">${pair('path', 'Or a path, or postgres://…, mysql://…, $NAME', html`<input id="path" name="path" size="50" autocomplete="off" required>`)}
${pair('only', 'Tables, separated by commas (empty: all)', html`<input id="only" name="only">`)}<button name="do" value="add">Add</button></form>
${setup.paths.length > 0 && html`<form method="post" action="/setup"><ul>${setup.paths.map((path) => html`<li>${path}</li>`)}</ul><button name="do" value="reset">Start again</button></form>`}
${shown && corrections(shown, setup, messages)}${shown?.trial && preview(shown, shown.trial)}`,
  )
}

/** Returns the page shown until the world can be reached. */
export function publishedPage({ toSet }: Setup): Html {
  const body = html`<p role="status" data-published>world.yaml is written. The world is being loaded.</p>
${toSet.map((name) => html`<p>${toSetText(name)}</p>`)}<p><a href="/">Open the world</a></p><noscript><meta http-equiv="refresh" content="5;url=/"></noscript>`
  return documentOf('Your world', body)
}

function documentOf(title: string, body: Content): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>
<link rel="stylesheet" href="/setup/setup.css"><script src="/setup/setup.js" defer></script></head>
<body><main><h1>${title}</h1>${body}</main></body></html>
`
}

function pair(id: string, label: string, field: Content): Html {
  return html`<span class="pair"><label for="${id}">${label}</label>${field}</span>`
}

function corrections({ tables, name }: Scaffold, setup: Setup, messages: Messages): Html {
  return html`<h2>What it becomes</h2><form id="corrections" method="post" action="/setup">
<input type="hidden" name="survey" value="${setup.survey ?? ''}">${pair('name', 'Name of the world', html`<input id="name" name="name" value="${setup.name ?? name}">`)}
${tables.map((table, at) => tableFields(table, at, setup.choices?.[at] ?? {}, messages))}
<button name="do" value="check">Show the result</button></form>`
}

function tableFields(
  { survey, source, type, references }: ProposedTable,
  at: number,
  choice: TableChoice,
  messages: Messages,
): Html {
  const {
    table,
    survey: { columns, cells },
  } = survey
  const wrong = (name: string) =>
    messages.has(name) && html`<span class="wrong" id="${name}.wrong">${messages.get(name)}</span>`
  const text = (name: string, label: string, value: string) =>
    pair(
      name,
      label,
      html`<input id="${name}" name="${name}" value="${value}"${messages.has(name) && html` aria-invalid="true" aria-describedby="${name}.wrong"`}>${wrong(name)}`,
    )
  const select = (name: string, label: string, none: string, value: string | undefined) =>
    pair(
      name,
      label,
      html`<select id="${name}" name="${name}"><option value="">${none}</option>${[...columns.keys()].map((one, no) => html`<option value="${no}"${one === value && html` selected`}>${one}</option>`)}</select>${wrong(name)}`,
    )
  const { id } = survey.identity
  const guess = typeof id === 'string' ? id : 'row' in id ? `${id.row} of the row` : id.join(' and ')
  const properties = type.schema?.['properties']
  const rows = [...columns].map(([name, column], no) => {
    const said = choice.columns?.get(name)
    const found = references.find((one) => one.column.name === name)
    const attribute = found?.name ?? textMember(source.rename, name) ?? name
    const property = (member(properties, attribute) ?? {}) as JsonObject
    // A definition cannot name this column, so nothing can be said of it.
    const cell = (member: string, label: string, value: string) =>
      html`<td>${name !== '__proto__' && html`<input name="${at}.${no}.${member}" aria-label="${label} of ${name}" value="${value}">`}</td>`
    const { type, format = type } = column.proposal
    const kind = cells
      ? (WORDS[format] ?? format)
      : `${property['format'] ?? property['type'] ?? 'any value'}`
    return html`<tr><th scope="row">${name}${wrong(`${at}.${no}`)}</th>${cell('label', 'Label', said?.label ?? `${property['title'] ?? ''}`)}
<td>${cells ? html`<select name="${at}.${no}.kind" aria-label="Kind of ${name}"><option value="">As guessed: ${kind}</option>${Object.entries(KINDS).map(([one, { title }]) => option(one, title, said?.kind))}</select>` : kind}</td>
${cell('unit', 'Unit', said?.unit ?? `${property['x-unit'] ?? ''}`)}${cell('missing', 'Missing values', (said?.missing ?? [...column.gaps.keys()]).join(', '))}
<td><input type="checkbox" name="${at}.${no}.out" aria-label="Leave out ${name}"${said?.isLeftOut && html` checked`}></td>
<td>${found && html`<select name="${at}.${no}.reference" aria-label="Reference of ${name}"><option value="on">${found.type}</option>${option('off', 'none', said?.isReference === false ? 'off' : 'on')}</select>`}</td></tr>`
  })
  const isMapped = source.attributes !== undefined
  return html`<fieldset><legend>${source.type ?? table.file}</legend>${!survey.survey.typed && text(`${at}.type`, 'Type, as prefix:name', choice.type ?? survey.type)}
${
  isMapped
    ? html`${text(`${at}.title`, 'Title of the type', choice.title ?? type.title ?? '')}${select(`${at}.id`, 'Id', `As guessed: ${guess}`, choice.id)}
${select(`${at}.titleColumn`, 'Title', 'none', choice.titleColumn ?? source.title)}
<div class="wide" role="region" tabindex="0" aria-label="Columns of ${table.name}"><table><thead><tr>${['Column', 'Label', 'Kind', 'Unit', 'Missing values', 'Leave out', 'Refers to'].map((one) => html`<th scope="col">${one}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
    : html`<p>Its records are complete entities, or name their types: they are published as they are.</p>`
}</fieldset>`
}

function option(value: string, title: string, chosen: string | undefined): Html {
  return html`<option value="${value}"${value === chosen && html` selected`}>${title}</option>`
}

function preview({ assumptions }: Scaffold, trial: Trial): Content {
  const titles = new Map(trial.first.map(({ type, id, title }) => [`${type} ${id}`, title]))
  const types = Map.groupBy(trial.first, ({ type }) => type)
  const tables = [...types].map(([type, entities]) => {
    const names = [...new Set(entities.flatMap(({ attributes }) => Object.keys(attributes)))]
    const textOf = (value: JsonValue | undefined): string => {
      const to = referenceIn(value)
      if (to) return titles.get(`${to.type} ${to.id}`) ?? to.id
      if (Array.isArray(value) && value.some(referenceIn)) return value.map(textOf).join(', ')
      return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    }
    return html`<h3>${type}</h3><div class="wide" role="region" tabindex="0" aria-label="First entities of ${type}"><table><thead><tr>${['id', 'title', ...names].map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
<tbody>${entities.map(({ id, title, attributes }) => html`<tr><th scope="row">${id}</th><td>${title}</td>${names.map((one) => html`<td>${Object.hasOwn(attributes, one) && cutTo(textOf(attributes[one]), 100)}</td>`)}</tr>`)}</tbody></table></div>`
  })
  const tally = createWarningTally()
  for (const warning of trial.warnings) tally.note(warning)
  const lines = [trialLine(trial), ...rejectionLines(trial), ...tally.lines()]
  return html`<h2>The result</h2>${lines.map((line) => html`<p>${line}</p>`)}${tables}
<details><summary>What was assumed</summary><ul>${assumptions.map((line) => html`<li>${line}</li>`)}</ul></details>
<p><button form="corrections" name="do" value="publish">Publish</button></p>`
}
