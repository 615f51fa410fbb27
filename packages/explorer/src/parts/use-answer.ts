/** Sends queries to the open world from a view. */
import type { JsonObject } from '@worldwright/client'
import { type Answer, ask } from '../question/question.ts'
import { createMemory } from '../world/memory.ts'
import { type Remote, useRemote } from './use-remote.ts'
import { useOpenWorld } from './world-context.ts'

const answers = createMemory<Answer>(400)

/** Sends a query whenever it changes, and records the titles in the answer. Sends nothing if the query is undefined. */
export function useAnswer(question: JsonObject | undefined, keep = false): Remote<Answer> {
  const { world, titles } = useOpenWorld()
  return useRemote(
    question && JSON.stringify([world.origin, question]),
    async (signal) => {
      const answer = await ask(world, question ?? {}, { signal })
      for (const entity of answer.entities) titles.note(entity)
      return answer
    },
    { keep, memory: answers },
  )
}
