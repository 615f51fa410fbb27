/** Search of the recently opened worlds together. */
import { connectAll, type Hit, type Merged, merge, type WorldAnswer } from '@worldwright/client/many'
import { nameOf } from '../data/entity-name.ts'
import { navigate } from '../navigation/navigation.ts'
import { recentWorlds } from '../navigation/settings.ts'
import { LineForm } from '../parts/line-form.tsx'
import { To } from '../parts/link.tsx'
import { ShortText } from '../parts/text.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { counted, words } from '../words/words.ts'
import { failureFrom } from '../world/failure.ts'
import { parse, placeOf } from '../world/worlds.ts'

const BOX = { type: 'search', dir: 'auto' } as const

/** Search box for all recently opened worlds, with the results for `text`, and the worlds that did not answer. */
export function Together({ text }: { text: string }) {
  const { start, search } = words.value
  const origins = recentWorlds.value.map(({ origin }) => origin)
  const key = text === '' ? undefined : JSON.stringify([text, origins])
  const { value, isBusy } = useRemote<Merged>(key, (signal, show) => ask(origins, text, signal, show))
  const open = (text: string) => {
    navigate({ page: 'open', text })
    return true
  }
  return (
    <section data-asks="" aria-busy={isBusy && key !== undefined}>
      <LineForm
        key={text}
        text={text}
        label={start.together}
        box={BOX}
        button={search.title}
        wrong=""
        onText={open}
      />
      {value !== undefined && key !== undefined && (
        <>
          <p role="status">{search.shown(counted(value.hits.length))}</p>
          <ol class="hits">
            {value.hits.map((hit) => (
              <Found key={`${hit.origin} ${hit.rank}`} hit={hit} matched={text.split(/\s+/)} />
            ))}
          </ol>
          <ul class="soft">
            {value.missing.map(({ origin, error }) => (
              <li key={origin}>
                <ShortText text={origin} most={80} />: {words.value.failures[failureFrom(error).cause].title}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

async function ask(
  origins: readonly string[],
  text: string,
  signal: AbortSignal,
  show: (part: Merged) => void,
): Promise<Merged> {
  const answers: WorldAnswer[] = []
  for await (const answer of connectAll(origins.map(placeOf), { parse }).discover({ text }, { signal })) {
    answers.push(answer)
    show(merge(answers, { text }))
  }
  return merge(answers, { text })
}

function Found({ hit: { entity, origin }, matched }: { hit: Hit; matched: readonly string[] }) {
  const { type, id, summary } = entity
  const name = <ShortText text={nameOf(entity)} matched={matched} />
  return (
    <li class="hit">
      <h2>
        {type === '' || id === '' ? name : <To route={{ page: 'entity', origin, type, id }}>{name}</To>}
      </h2>
      {typeof summary === 'string' && (
        <p class="clamp">
          <ShortText text={summary} matched={matched} most={320} />
        </p>
      )}
      <p class="soft code">
        <ShortText text={origin} most={80} />
      </p>
    </li>
  )
}
