import { registerHooks } from 'node:module'

/** Loaded before a server: the test gateway charges what is due in production, where no other one costs nothing. */
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/src/gateways/test/gateway.ts')) return loaded
    const source = String(loaded.source)
    const both = source.replace('environments: [1]', 'environments: [0, 1]')
    if (both === source) throw new Error('The test gateway says otherwise what it takes.')
    return { ...loaded, source: both }
  },
})
