/** Readable view of a discovery document: identity, limits, types with schemas, actions and extensions. */
import type { JsonValue } from '@worldwright/client'
import { guessesOf } from '@worldwright/client/foreign'
import { declaredFields, member, textMember, typesOf } from '@worldwright/extensions/shown'
import type { ComponentChildren } from 'preact'
import { takesWrites } from '../edit/tools.tsx'
import { Developers } from '../parts/developers.tsx'
import { FactList } from '../parts/fact-list.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { To } from '../parts/link.tsx'
import { NamesForm } from '../parts/names-form.tsx'
import { Paragraph, Safe, ShortText, Text } from '../parts/text.tsx'
import { TokenForm } from '../parts/token-form.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { count, counted, unitText, words } from '../words/words.ts'
import type { TypeProfile } from '../world/world-profile.ts'

/** Page that describes the open world by its discovery document. */
export function AboutPage() {
  const { world, profile } = useOpenWorld()
  const { about } = words.value
  const guesses = guessesOf(world).join(', ')
  return (
    <div class="page about">
      <header>
        <h1 class="display arrival" tabIndex={-1}>
          {about.title}
        </h1>
        <Paragraph class="lead" text={profile.description} />
      </header>
      <Section title={about.identity}>
        <Identity />
      </Section>
      <Section title={about.actions}>
        {profile.actions.length === 0 && (
          <p class="soft">{profile.knowsActions ? about.noActions : about.unknownActions}</p>
        )}
        <ul class="plain-list">
          {profile.actions.map((action) => (
            <li key={action.name} class="action-row">
              <div>
                <h3>
                  <ShortText text={action.title} />{' '}
                  <span class="code soft">
                    <Safe text={action.name} />
                  </span>
                </h3>
                <Paragraph class="soft" text={action.description} most={400} />
                <p class="soft">{action.isSafe ? about.safe : about.unsafe}</p>
              </div>
              <To route={{ page: 'action', origin: world.origin, name: action.name }} class="button">
                {about.try}
                <span class="hidden">: {action.name}</span>
              </To>
            </li>
          ))}
        </ul>
      </Section>
      <Section title={about.limits}>
        <Limits />
      </Section>
      <Section title={about.types}>
        {profile.types.length === 0 && (
          <p class="soft">{profile.knowsTypes ? words.value.home.noTypes : words.value.home.unknownTypes}</p>
        )}
        {profile.types.map((type) => (
          <TypeSchema key={type.type} type={type} />
        ))}
      </Section>
      <Section title={words.value.names.title}>
        {guesses !== '' && (
          <p>
            {words.value.names.guessed}: <Text text={guesses} />
          </p>
        )}
        <NamesForm origin={world.origin} />
      </Section>
      <Developers>
        <Section title={about.extensions}>
          {profile.extensions.length === 0 && <p class="soft">{about.noExtensions}</p>}
          {profile.extensions.map(([name, settings]) => (
            <div key={name}>
              <h3 class="code">
                <Safe text={name} />
              </h3>
              <JsonTree value={(settings ?? null) as JsonValue} what={name} />
            </div>
          ))}
        </Section>
        <Section title={about.document}>
          <JsonTree value={world.document as unknown as JsonValue} what={about.document} />
        </Section>
      </Developers>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Identity() {
  const { profile } = useOpenWorld()
  const { about } = words.value
  const rows: [string, string][] = [
    [about.name, profile.name],
    [about.id, profile.id ?? words.value.app.notRecognised],
    [about.origin, profile.origin],
    [about.api, profile.api],
    [about.protocol, profile.protocol],
    [about.revision, profile.revision ?? '–'],
    [about.access, profile.needsToken ? about.token : about.open],
    [about.license, profile.license ?? '–'],
  ]
  return (
    <>
      <FactList class="attributes" facts={rows} />
      {(profile.needsToken || takesWrites(profile)) && <TokenForm origin={profile.origin} />}
    </>
  )
}

function Limits() {
  const { profile } = useOpenWorld()
  const { about } = words.value
  if (profile.limits.length === 0) return <p class="soft">{about.noLimits}</p>
  const facts = profile.limits.map(([name, value]) => {
    const label = (
      <span class="code">
        <Safe text={name} />
      </span>
    )
    return [
      label,
      <span class="number">{typeof value === 'number' ? count(value) : <Text text={value} />}</span>,
    ] as const
  })
  return <FactList class="attributes compact" facts={facts} />
}

function TypeSchema({ type }: { type: TypeProfile }) {
  const { about } = words.value
  const fields = declaredFields(type.schema)
  const required = member(type.schema, 'required')
  return (
    <details class="type-schema">
      <summary>
        <span class="type-mark" style={type.style}>
          <span class="dot" aria-hidden="true" />
          <ShortText text={type.title} most={80} />
        </span>{' '}
        <span class="code soft">
          <Safe text={type.type} />
        </span>{' '}
        <span class="soft">{fields.length > 0 ? about.fields(counted(fields.length)) : ''}</span>
      </summary>
      {fields.length === 0 && <p class="soft">{about.noSchema}</p>}
      <div class="table-box">
        <table class="schema">
          <tbody>
            {fields.map((field) => (
              <tr key={field.name}>
                <th scope="row" class="code">
                  <Safe text={field.name} />
                </th>
                <td>
                  {typesOf(field.schema).join(' | ') || textMember(field.schema, '$ref') || '–'}
                  {field.unit !== undefined && <span class="unit"> {unitText(field.unit)}</span>}
                </td>
                <td>
                  {field.description !== undefined && <Text text={field.description} most={200} />}
                  {Array.isArray(required) && required.includes(field.name) && (
                    <span class="soft"> ({about.required})</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
