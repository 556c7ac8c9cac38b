/** The logo: a module in its dock. */
export function Logo({ size = 18 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden>
      <path
        d="M2.5 10v4.5a3 3 0 0 0 3 3h9a3 3 0 0 0 3-3V10"
        fill="none"
        stroke="var(--desk-ink)"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <rect x="5" y="2.5" width="10" height="8" rx="1.5" fill="var(--desk-accent)" />
    </svg>
  )
}
