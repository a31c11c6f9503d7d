export default function InduceScreen(_props: Record<string, unknown>) {
  return null;
}
