/** What an archive, or who sends it, says of a version. Null: it does not say. */
export interface VersionFacts {
  readonly version: string | null
  /** Empty: there is none in it. */
  readonly sdkVersion: string
  readonly requiresPlatform: string | null
  readonly requiresLanguage: string | null
  readonly testedUpTo: string | null
  /** Folder in the archive; null where it has none of its own. */
  readonly slug: string | null
  readonly readme: Readme | null
}

/** Of a readme, for who is offered an update. */
export interface Readme {
  readonly sections: Readonly<Record<string, string>>
  /** By version. */
  readonly upgradeNotices: Readonly<Record<string, string>>
}

/** What who sends an archive says of it, for where the archive does not. */
export interface Said {
  readonly version?: string | undefined
  readonly sdk_version?: string | undefined
  readonly requires_platform_version?: string | undefined
  readonly requires_programming_language_version?: string | undefined
  readonly tested_up_to_version?: string | undefined
  /** In the form of a `readme.txt` of WordPress. */
  readonly readme?: string | undefined
}
