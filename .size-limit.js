/** What programs pay for the client, as a bundler puts them together. */

const LATER = ['./changes.ts', './live.ts', './query.ts', './proof.ts', '../foreign/foreign.ts']

/**
 * As modules, and without what a world loads only when it is followed or asked precisely. By itself size-limit would make one script of
 * everything, with the parts that are loaded later in it.
 */
function modifyEsbuildConfig(config) {
  return { ...config, format: 'esm', external: LATER }
}

const CLIENT = 'packages/client/src/index.ts'
const FOREIGN = 'packages/client/src/foreign/foreign.ts'
const PROOF = 'packages/client/src/foreign/proof.ts'

const client = [
  {
    name: '@worldwright/client, all of it',
    path: CLIENT,
    import: '*',
    limit: '5 kB',
  },
  {
    name: '@worldwright/client/functions: connect + get + discover',
    path: 'packages/client/src/functions.ts',
    import: '{ connect, get, discover }',
    limit: '3.1 kB',
  },
  {
    name: '@worldwright/client with @worldwright/client/foreign, all of both, with the proofs that load on demand',
    path: [CLIENT, FOREIGN, PROOF],
    import: {
      [`./${CLIENT}`]: '{ isWorldError, WorldError }',
      [`./${FOREIGN}`]: '{ connect, descriptionFrom, interpretationOf, referenceIn }',
      [`./${PROOF}`]: '{ doubtIn, settle }',
    },
    limit: '9.6 kB',
  },
  {
    name: '@worldwright/client/changes, loaded by a world that is followed',
    path: 'packages/client/src/changes.ts',
    import: '{ changes, watch }',
    limit: '5.6 kB',
  },
  {
    name: 'live queries, loaded by a world of which one is kept current',
    path: 'packages/client/src/live.ts',
    import: '{ live }',
    limit: '7 kB',
  },
  {
    name: '@worldwright/client/query, loaded by a world that is asked precisely',
    path: 'packages/client/src/query.ts',
    import: '{ entities, pages }',
    limit: '1.5 kB',
  },
  {
    name: '@worldwright/client/many, with the whole client',
    path: 'packages/client/src/many/many.ts',
    import: '*',
    limit: '6.7 kB',
  },
  {
    name: '@worldwright/client/cql2, all of it',
    path: 'packages/client/src/cql2/cql2.ts',
    import: '*',
    limit: '3.9 kB',
  },
  {
    name: '@worldwright/client/operator, beside a connected world',
    path: 'packages/client/src/operator/operator.ts',
    import: '{ Operator, mintId }',
    limit: '4.8 kB',
  },
].map((check) => ({ ...check, gzip: true, modifyEsbuildConfig }))

const CORE = 'packages/core/src/index.ts'
const STORE = 'packages/core/src/store/index.ts'

/** A world for a runtime at the edge: Level 1 over a source, behind `fetch`. */
const edge = {
  name: '@worldwright/core: a world over a source, for workerd',
  path: [CORE, STORE],
  import: { [`./${CORE}`]: '{ createWorld, toFetch }', [`./${STORE}`]: '{ compareUtf8, storedEntity }' },
  limit: '22 kB',
  gzip: true,
  modifyEsbuildConfig: (config) => ({
    ...config,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['@worldwright/source', 'workerd'],
  }),
}

export default [...client, edge]
