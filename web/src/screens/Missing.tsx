import { Link } from "wouter";
import css from "./screens.module.css";

export function Missing() {
  return (
    <div className={css.empty}>
      <h1>There is nothing at this address.</h1>
      <p>
        It may have been removed. <Link href="/">Go to the start</Link>.
      </p>
    </div>
  );
}
