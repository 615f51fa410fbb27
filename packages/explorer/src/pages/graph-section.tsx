/** The graph of an entity's references: fetched and asked for when it is opened, and from then on open for every entity. */
import { signal } from '@preact/signals'
import type { Entity } from '@worldwright/client'
import { ReferenceGraph } from '../charts/charts.ts'
import { referencesOf } from '../data/references.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { answersQuestions } from '../question/askable.ts'
import { words } from '../words/words.ts'

/** Who walks from graph to graph opens it once. */
const isOpen = signal(false)

/** The graph behind its heading; nothing where the entity refers to nothing and the world cannot be asked what refers to it. */
export function GraphSection({ entity }: { entity: Entity }) {
  const { profile } = useOpenWorld()
  if (!answersQuestions(profile) && referencesOf(entity.attributes).length === 0) return null
  return (
    <details
      class="raw"
      open={isOpen.value}
      onToggle={(event) => {
        if (event.target === event.currentTarget) isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <h2>{words.value.views.graph}</h2>
      </summary>
      {isOpen.value && <ReferenceGraph entity={entity} />}
    </details>
  )
}
