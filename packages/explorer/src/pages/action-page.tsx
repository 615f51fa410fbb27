/** Page that runs an action, with a form generated from its schema, the answer, and snippets that run it. */
import type { ActionResult, JsonObject, JsonValue } from '@worldwright/client'
import { isObject, member } from '@worldwright/extensions/shown'
import { useEffect, useState } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { navigate } from '../navigation/navigation.ts'
import type { RouteTo } from '../navigation/route.ts'
import { PartFailure } from '../parts/failure-view.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { To } from '../parts/link.tsx'
import { needed } from '../parts/loaded.tsx'
import { SnippetTabs } from '../parts/snippet-tabs.tsx'
import { Paragraph, Safe, ShortText, Text } from '../parts/text.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { Waiting } from '../parts/waiting.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { isEntity } from '../question/question.ts'
import { words } from '../words/words.ts'

const ActionForm = needed(async () => (await import('./action-form.tsx')).ActionForm)

/** Page of an action. A safe action runs as soon as its input is in the address. Any other action runs only on request. */
export function ActionPage({ route }: { route: RouteTo<'action'> }) {
  const { world, profile } = useOpenWorld()
  const { action: w } = words.value
  const action = profile.actions.find(({ name }) => name === route.name)
  const isSafe = action?.isSafe === true
  const input = JSON.stringify(route.input)
  const key = `${route.name} ${input}`
  const [requested, setRequested] = useState({ key: '', count: 0 })
  const runs = route.input !== undefined && (isSafe || requested.key === key)

  // A user who leaves the address and returns must request the action again.
  useEffect(() => setRequested((last) => (last.key === key ? last : { key: '', count: last.count })), [key])

  const answer = useRemote(runs ? `${key} ${requested.count}` : undefined, (signal) =>
    world.action(route.name, route.input ?? {}, { signal }),
  )

  function run(wanted: JsonObject) {
    navigate({ ...route, input: wanted }, route.input === undefined ? 'go' : 'replace')
    setRequested({ key: `${route.name} ${JSON.stringify(wanted)}`, count: requested.count + 1 })
  }

  return (
    <div class="page action-page">
      <header>
        <p class="over">
          <To route={{ page: 'about', origin: world.origin }}>{words.value.about.actions}</To>
        </p>
        <h1 class="arrival" tabIndex={-1}>
          <ShortText text={action?.title ?? route.name} />{' '}
          <span class="code soft">
            <Safe text={route.name} />
          </span>
        </h1>
        <Paragraph class="lead" text={action?.description} />
        {action === undefined && <p class="note">{w.unknown}</p>}
        {!isSafe && <p class="note">{w.unsafeWarning}</p>}
      </header>
      <ActionForm
        schema={action?.inputSchema}
        input={route.input}
        isBusy={answer.isBusy && runs}
        onRun={run}
      />
      <div aria-live="polite">
        {runs && answer.isBusy && answer.value === undefined && <Waiting host={profile.host} read={answer} />}
        {runs && <PartFailure of={answer} />}
        {runs && answer.value !== undefined && <Answer result={answer.value} />}
      </div>
      {route.input !== undefined && (
        <section>
          <h2>{words.value.entity.use}</h2>
          <SnippetTabs
            read={{ kind: 'action', name: route.name, input: route.input }}
            label={words.value.entity.use}
          />
        </section>
      )}
      <Schemas input={action?.inputSchema} output={action?.outputSchema} />
    </div>
  )
}

function Answer({ result }: { result: ActionResult }) {
  const { world } = useOpenWorld()
  const { action: w } = words.value
  const list = member(result.output, 'entities')
  const entities = (Array.isArray(list) ? (list as unknown[]) : [])
    .filter(isEntity)
    .filter(({ id }) => id !== '')
  const warnings = (Array.isArray(result.warnings) ? result.warnings : []).filter(isObject)
  return (
    <section>
      <h2>{w.output}</h2>
      {warnings.length > 0 && (
        <div class="note">
          <p>{w.warnings}</p>
          <ul>
            {warnings.map((warning) => (
              <li key={JSON.stringify(warning)}>
                <Text text={String(warning['message'] ?? warning['code'])} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {entities.length > 0 && (
        <p class="examples">
          <span class="hidden">{w.entities}: </span>
          {entities.slice(0, 20).map(({ type, id, title }) => (
            <To key={`${type} ${id}`} route={{ page: 'entity', origin: world.origin, type, id }} class="chip">
              <ShortText text={nameOf({ id, ...(title !== undefined && { title }) })} most={48} />
            </To>
          ))}
        </p>
      )}
      <JsonTree value={result as unknown as JsonValue} what={w.output} />
    </section>
  )
}

function Schemas({ input, output }: { input: unknown; output: unknown }) {
  const { action: w } = words.value
  const both: [string, unknown][] = [
    [w.input, input],
    [w.outputSchema, output],
  ]
  return (
    <section>
      <h2>{w.schemas}</h2>
      {both.map(
        ([label, schema]) =>
          isObject(schema) && (
            <details key={label} class="type-schema">
              <summary>{label}</summary>
              <JsonTree value={schema} what={`${w.schemas}: ${label}`} />
            </details>
          ),
      )}
    </section>
  )
}
