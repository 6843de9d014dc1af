interface MarkOf {
  readonly icon: string | null
  /** In the place of the icon. */
  readonly logo: string | null
  /** Pixels. */
  readonly size: number
}

/** The picture of a product or its seller beside the name; nothing where there is none. */
export function Mark({ icon, logo, size }: MarkOf) {
  if (logo !== null) return <img className="portal-logo" src={logo} alt="" height={size} />
  return icon === null ? null : <img src={icon} alt="" width={size} height={size} />
}
