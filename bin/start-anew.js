import itself from 'node:process'
import options from './process.json' with { type: 'json' }

/**
 * Puts the same program in the place of this one, in the same process, with what keeps its memory small: V8 and the C
 * library read that only as a program starts. V8 collects what was made lately 6 MB at a time, and all of it when a
 * fifth has been added, where it would wait for several times as much; glibc has an arena of its own for each thread,
 * and keeps there what was freed, unless told not to. Flags and variables that an operator has set count more, but for
 * those in NODE_OPTIONS. Does nothing on Windows, which has no such call, where Node's permissions forbid it, nor under
 * a program or a debugger that talks with this one, as it would lose it.
 */
export function startAnew() {
  const { flags, variables } = options
  const { argv, connected, env, execArgv, execPath, platform } = itself
  if (platform === 'win32' || connected) return
  const isDebugged = execArgv.some((flag) => flag.startsWith('--inspect'))
  if (isDebugged || flags.every((flag) => execArgv.includes(flag))) return
  try {
    itself.execve(execPath, [execPath, ...flags, ...execArgv, ...argv.slice(1)], { ...variables, ...env })
  } catch {
    // It runs as it is, with more memory.
  }
}
