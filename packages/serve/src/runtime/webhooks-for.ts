import type { Webhook, WebhookDeps } from '@worldwright/extensions/webhooks'
import { problemIn } from '@worldwright/publish'
import { fromEnv, UsageFault } from '../terminal/io.ts'
import { visible } from '../terminal/visible.ts'
import type { ServeContext } from './serve-context.ts'

/**
 * Starts the webhooks of the definition once `ready` resolves to true. Returns a function that stops them.
 * @throws UsageFault if the store is not written to, or if a secret is missing or malformed
 */
export async function webhooksFor(
  { workspace, settings, store, deps, io }: ServeContext,
  worldId: string,
  ready: Promise<boolean>,
): Promise<() => Promise<void>> {
  const { webhooks = [] } = workspace.definition
  if (webhooks.length === 0) return async () => {}
  if (settings.readOnly)
    throw new UsageFault('webhooks store their progress. Leave out readOnly, or webhooks.')
  const { deliverChanges, signingKeys } = await import('@worldwright/extensions/webhooks')
  const hooks: Webhook[] = []
  for (const [index, { url, types, secret }] of webhooks.entries()) {
    const keys = signingKeys(fromEnv(io, secret.slice(1)) ?? '')
    const why = `the environment variable ${secret.slice(1)} must hold whsec_ and base64 of 24 to 64 bytes.`
    if (!keys) throw new UsageFault(await problemIn(workspace.file ?? '', ['webhooks', index, 'secret'], why))
    hooks.push({ url, types: types?.toSorted(), keys })
  }
  const ending = new AbortController()
  const report: WebhookDeps['report'] = (level, message) =>
    deps.log.report(level, visible(message), { event: 'webhook' })
  const world = { worldId, store, report, signal: ending.signal }
  const deliver = () => Promise.all(hooks.map((hook) => deliverChanges(hook, world)))
  const delivered = ready.then((isReady) => (isReady ? deliver() : []))
  return async () => {
    ending.abort()
    await delivered
  }
}
