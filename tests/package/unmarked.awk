# Functions that a public header declares without a body and without POISSON3D_API, on them or on their class: a shared
# library would lack them. Declarations begin in column 0, members in column 4, as the format of the project has it.
FNR == 1 { class = ""; statement = "" }
{ sub(/ *\/\/.*/, "") }
/^#|^$|^namespace|^}  *$/ { next }
/^(class|struct) [^;]*$/ { class = $0; statement = ""; next }
/^};/ { class = ""; statement = ""; next }
{
    indent = match($0, /[^ ]/) - 1
    if (statement == "" && indent != (class == "" ? 0 : 4)) next
    statement = statement " " $0
}
statement ~ /[;{}]$/ {
    if (statement ~ /\)( const)?( noexcept)?;$/ && statement !~ /^[^(]* = / &&
        statement !~ / (using|friend|static_assert)|POISSON3D_(API|LOCAL)/ && class !~ /POISSON3D_API/) {
        print FILENAME ": not marked:" statement
        found = 1
    }
    statement = ""
}
/:$/ { statement = "" }  # public:
END { exit found }
