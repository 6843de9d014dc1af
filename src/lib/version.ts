import packageJson from '../../package.json' with { type: 'json' }

/** This version of Keywright, `major.minor.patch`. */
export const VERSION: string = packageJson.version
