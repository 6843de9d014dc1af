import { enableCompileCache, flushCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import './quick-modules.js'

// Each thread compiles for itself: without it a thread would hold the compiler for TypeScript, some 20 MB.
const { module, cache } = workerData
if (cache !== null) enableCompileCache(cache)
await import(module)
flushCompileCache()
