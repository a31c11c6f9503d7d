export default function LabScreen(_props: Record<string, unknown>) {
  return null;
}
