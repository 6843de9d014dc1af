import { hostOf } from '../../src/lib/hosts.ts'
import { domainsAbove, isLocalAddress } from '../../src/licensing/installs/local-hosts.ts'

/** What the server calls the outcome of an operation: `ok` or the code of the refusal. */
export type Outcome = string

export interface ModelLicense {
  readonly id: string
  readonly key: string
  /** 0 by domain, 1 by subdomain. */
  readonly type: 0 | 1
  /** The license that a bundle's key opens in the product; on every other license null. */
  readonly child: ModelLicense | null
  /** Null: nobody's yet. */
  owner: string | null
  quota: number | null
  /** Milliseconds since the epoch. */
  expires: number | null
  cancelled: boolean
  freeLocal: boolean
}

export interface ModelInstall {
  readonly owner: string
  readonly uid: string
  url: string
  license: ModelLicense | null
  counted: 'production' | 'local' | 'covered' | null
}

/**
 * What licensing must do, in the plainest form: no counters but the installs themselves, no database, nothing in
 * parallel. Where it and the server differ, one of them is wrong.
 */
export class Reference {
  readonly licenses: ModelLicense[] = []
  readonly installs = new Map<string, ModelInstall>()
  now: number

  constructor(now: number) {
    this.now = now
  }

  /** Every license, those that bundles opened included. */
  all(): ModelLicense[] {
    return this.licenses.flatMap((license) => (license.child ? [license, license.child] : [license]))
  }

  /** A license with what it opened. */
  family(license: ModelLicense): ModelLicense[] {
    return license.child ? [license, license.child] : [license]
  }

  activate(keyed: ModelLicense, uid: string, url: string): Outcome {
    const license = keyed.child ?? keyed
    const ended = this.#ended(keyed) ?? this.#ended(license)
    if (ended) return ended
    if (license.owner === null) return this.#unclaimed(license, url)
    const owner = license.owner
    const name = `${owner} ${uid}`
    const before = this.installs.get(name)
    if (before?.license === license) return this.#move(before, url)
    if (before?.license && !this.#ended(before.license)) return 'license_activated'
    return this.#attempt(() => {
      const install = before ?? { owner, uid, url, license: null, counted: null }
      this.installs.set(name, install)
      install.url = url
      return this.#replace(license, install)
    })
  }

  /** Puts a license on an install, whoever's it is, in place of the one it has; nobody's becomes the install's owner's. */
  put(keyed: ModelLicense, install: ModelInstall): Outcome {
    const license = keyed.child ?? keyed
    const ended = this.#ended(keyed) ?? this.#ended(license)
    if (ended) return ended
    const outcome = install.license === license ? 'ok' : this.#attempt(() => this.#replace(license, install))
    if (outcome === 'ok') for (const one of this.family(keyed)) one.owner ??= install.owner
    return outcome
  }

  deactivate(keyed: ModelLicense, install: ModelInstall): Outcome {
    if (install.license !== (keyed.child ?? keyed)) return 'license_error'
    this.#takeOff(install)
    return 'ok'
  }

  deactivateAll(license: ModelLicense): void {
    for (const one of this.family(license)) {
      for (const install of this.on(one)) this.#takeOff(install)
    }
  }

  verify(keyed: ModelLicense, install: ModelInstall): Outcome {
    return install.license === (keyed.child ?? keyed) ? 'ok' : 'not_found'
  }

  /** The installs that a license is active on. */
  on(license: ModelLicense): ModelInstall[] {
    return [...this.installs.values()].filter((install) => install.license === license)
  }

  count(license: ModelLicense, counted: 'production' | 'local'): number {
    return this.on(license).filter((install) => install.counted === counted).length
  }

  /** The address of an install that keeps its license. */
  #move(install: ModelInstall, url: string): Outcome {
    if (hostOf(install.url) === hostOf(url)) {
      install.url = url
      return 'ok'
    }
    return this.#attempt(() => {
      const { license, counted: was } = install
      if (!license) throw new Error('It has a license.')
      install.url = url
      const counted = this.#countedAs(license, install)
      install.counted = counted
      const uncovered = was === 'production' ? this.#uncover(license) : 0
      if (counted === was && uncovered === 0) return 'ok'
      return this.#hasRoom(license, counted, install) ? 'ok' : 'license_utilized'
    })
  }

  /** Who names nobody gets no license of nobody's; that one is used up is told first. */
  #unclaimed(license: ModelLicense, url: string): Outcome {
    const stranger = { owner: '', uid: '', url, license: null, counted: null }
    return this.#hasRoom(license, this.#countedAs(license, stranger))
      ? 'missing_argument'
      : 'license_utilized'
  }

  #replace(license: ModelLicense, install: ModelInstall): Outcome {
    if (install.license) this.#takeOff(install)
    const counted = this.#countedAs(license, install)
    if (!this.#hasRoom(license, counted)) return 'license_utilized'
    install.license = license
    install.counted = counted
    return 'ok'
  }

  #ended({ cancelled, expires }: ModelLicense): Outcome | null {
    if (cancelled) return 'license_cancelled'
    return expires !== null && expires <= this.now ? 'license_expired' : null
  }

  #countedAs(license: ModelLicense, { url }: ModelInstall): 'production' | 'local' | 'covered' {
    if (isLocalAddress(url)) return 'local'
    const above = domainsAbove(hostOf(url) ?? '')
    return license.type === 0 && this.#countsOn(license, above) ? 'covered' : 'production'
  }

  #countsOn(license: ModelLicense, hosts: readonly string[]): boolean {
    return this.on(license).some(
      ({ url, counted }) => counted === 'production' && hosts.includes(hostOf(url) ?? ''),
    )
  }

  #hasRoom(license: ModelLicense, counted: ModelInstall['counted'], without?: ModelInstall): boolean {
    const { quota, freeLocal } = license
    if (quota === null || counted === 'covered' || (counted === 'local' && freeLocal)) return true
    const used = this.on(license).filter(
      (install) =>
        install !== without &&
        (install.counted === 'production' || (install.counted === 'local' && !freeLocal)),
    )
    return used.length < quota
  }

  #takeOff(install: ModelInstall): void {
    const { license, counted } = install
    install.license = null
    install.counted = null
    if (license && counted === 'production') this.#uncover(license)
  }

  /** What nothing covers any more counts by itself, a domain before its subdomains. */
  #uncover(license: ModelLicense): number {
    const depth = ({ url }: ModelInstall) => (hostOf(url) ?? '').split('.').length
    let uncovered = 0
    for (const install of this.on(license).toSorted((a, b) => depth(a) - depth(b))) {
      if (install.counted !== 'covered') continue
      if (this.#countsOn(license, domainsAbove(hostOf(install.url) ?? ''))) continue
      install.counted = 'production'
      uncovered++
    }
    return uncovered
  }

  /** A refusal leaves everything as it was. */
  #attempt(work: () => Outcome): Outcome {
    const before = [...this.installs].map(([name, install]) => [name, install, { ...install }] as const)
    const outcome = work()
    if (outcome === 'ok') return outcome
    this.installs.clear()
    for (const [name, install, was] of before) this.installs.set(name, Object.assign(install, was))
    return outcome
  }
}
